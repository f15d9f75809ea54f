import { type Address, getAddress, type Hex } from "viem";

import type { FeesUsd } from "../../../../../packages/protocol/src/fees/feeComponents.ts";
import { sponsorFees } from "../../../../../packages/protocol/src/quote/sponsorFees.ts";
import { chainClient } from "../../../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { ChainContracts } from "../../../../../packages/crosscall/src/localnet/devchain/contracts.ts";
import { chainTokens } from "../../../../../packages/crosscall/src/localnet/devchain/tokens.ts";
import type { DevChain } from "../../../../../packages/crosscall/src/localnet/devchain/devChain.ts";
import { ChainChanges } from "../../../../../packages/crosscall/src/localnet/devchain/node.ts";
import {
  pricedCurrencies,
  type PricedCurrency,
} from "../../../../../packages/crosscall/src/localnet/market/currencies.ts";
import type { Price } from "../../../../../packages/crosscall/src/localnet/market/quote/priceQuote.ts";
import type { EvmQuote } from "../../../../../packages/crosscall/src/localnet/market/quote/resolveQuote.ts";

export const account = (digit: string): Address => getAddress(`0x${digit.repeat(40)}`);
const pair = (digits: string): Address => getAddress(`0x${digits.repeat(20)}`);
export const word = (digit: string): Hex => `0x${digit.repeat(64)}`;

export const ORIGIN_ID = 31_337;
export const DESTINATION_ID = 31_338;
export const USER = account("1");
export const RECIPIENT = account("2");
export const REFUND_TO = account("3");
export const SOLVER = account("4");

/** Returns the contracts of a chain with this dollar token, each at a different address. */
export const contractsWith = (dollar: Address): ChainContracts => ({
  router: account("5"),
  depository: account("6"),
  dollar,
  tether: pair("a1"),
  token: pair("a2"),
  feeToken: pair("a3"),
  wrappedNative: pair("a4"),
  vault: account("e"),
  vaultProxy: account("f"),
  sweeper: pair("a5"),
  approvalProxy: pair("ab"),
  entryPoint: pair("ac"),
  accountFactory: pair("ad"),
  uniswapFactory: pair("a6"),
  uniswapPositions: pair("a7"),
  uniswapRouter: pair("a8"),
  uniswapQuoter: pair("a9"),
  attestationVerifier: pair("aa"),
});

const chain = (id: number, digits: [string, string, string]): DevChain => {
  const [router, depository, dollar] = digits.map(account) as [Address, Address, Address];
  const rpcUrl = "http://127.0.0.1:1";
  const contracts = { ...contractsWith(dollar), router, depository };
  return {
    id,
    name: `Local ${id}`,
    protocolChainId: `local-${id}`,
    rpcUrl,
    client: chainClient(id, rpcUrl),
    changes: new ChainChanges(true),
    time: () => Promise.resolve(0),
    depositConfirmations: 0,
    finality: { blocks: 0, seconds: 0 },
    contracts,
    tokens: chainTokens(contracts),
    pools: [],
  };
};

export const origin = chain(ORIGIN_ID, ["5", "6", "7"]);
export const destination = chain(DESTINATION_ID, ["8", "9", "a"]);

const currencies = (of: DevChain): [PricedCurrency, PricedCurrency] =>
  pricedCurrencies(of.id, of.tokens) as [PricedCurrency, PricedCurrency];

/** Price of 2,500 US dollars per unit, with 18 decimals. */
export const [originEther, originDollar] = currencies(origin);
export const [destinationEther, destinationDollar] = currencies(destination);

/** Returns a currency for currency pairs that a local network does not have. */
export function otherCurrency(symbol: string, decimals: number, priceUsdE18: bigint): PricedCurrency {
  const { currency } = destinationDollar;
  return { currency: { ...currency, address: account("b"), symbol, name: symbol, decimals }, priceUsdE18 };
}

/** Quote that exchanges 5 dollars on the origin chain for dollars on the destination chain, without calls. */
export const quote: EvmQuote = {
  request: {
    user: USER,
    originChainId: ORIGIN_ID,
    destinationChainId: DESTINATION_ID,
    originCurrency: originDollar.currency.address,
    destinationCurrency: destinationDollar.currency.address,
    tradeType: "EXACT_INPUT",
    amount: "5000000",
  },
  origin,
  destination,
  input: originDollar,
  output: destinationDollar,
  originNative: originEther,
  destinationNative: destinationEther,
  user: USER,
  recipient: RECIPIENT,
  refundTo: REFUND_TO,
  txs: [],
  callValue: 0n,
  offers: undefined,
};

/** Returns a price without its sponsored and pass-through fees. */
export const unsponsored = (fees: FeesUsd): Pick<Price, "sponsored" | "passThroughUsdE18" | "originGasUsdE18"> => ({
  sponsored: sponsorFees(fees, {}),
  passThroughUsdE18: 0n,
  originGasUsdE18: 0n,
});

const fees: FeesUsd = { swap: 0n, execution: 10n ** 17n, platform: 0n, app: 0n };

export const price: Price = {
  inputAmount: 5_000_000n,
  expectedOutput: 4_900_000n,
  minimumOutput: 4_802_000n,
  fees,
  ...unsponsored(fees),
};
