import { EVM_NATIVE_CURRENCY, isSameAddress } from "@crosscall/protocol/chains";
import type { Currency } from "@crosscall/protocol/complete";
import { InvalidInputError } from "@crosscall/protocol/core";
import type { ChainContracts } from "./contracts.ts";
import type { LiveChain } from "./liveChains.ts";
import { type ChainToken, toUsdE18, USD_ONE } from "./chainToken.ts";

const ETHER_USD_E18 = toUsdE18(2_500);

/** Returns a plain token, and a token that some protocols cannot handle. */
function testTokens({ token, feeToken }: ChainContracts): ChainToken[] {
  return [
    {
      address: token,
      symbol: "TKN",
      name: "Local Token",
      decimals: 18,
      priceUsdE18: toUsdE18(5),
      permit: { kind: "eip2612", version: "1" },
    },
    {
      address: feeToken,
      symbol: "FEE",
      name: "Local Fee Token",
      decimals: 18,
      priceUsdE18: USD_ONE,
      transferFeeBps: 100n,
    },
  ];
}

export interface ChainTokenFacts {
  readonly live?: LiveChain;
  /** Tokens at given addresses. */
  readonly given?: readonly ChainToken[];
}

/** Lists the currencies of a chain, native currency first. */
export function chainTokens(contracts: ChainContracts, { live, given = [] }: ChainTokenFacts = {}): ChainToken[] {
  const own = live === undefined ? localTokens(contracts) : liveTokens(live);
  return [...own, ...given, ...testTokens(contracts)];
}

function liveTokens({ native, tokens }: LiveChain): ChainToken[] {
  return [{ ...native, address: EVM_NATIVE_CURRENCY, decimals: 18 }, ...tokens];
}

function localTokens({ dollar, tether, wrappedNative }: ChainContracts): ChainToken[] {
  return [
    { address: EVM_NATIVE_CURRENCY, symbol: "ETH", name: "Ether", decimals: 18, priceUsdE18: ETHER_USD_E18 },
    {
      address: dollar,
      symbol: "USDC",
      name: "Local Dollar",
      decimals: 6,
      priceUsdE18: USD_ONE,
      permit: { kind: "eip3009", version: "1" },
    },
    { address: tether, symbol: "USDT", name: "Local Tether", decimals: 6, priceUsdE18: USD_ONE, needsReset: true },
    { address: wrappedNative, symbol: "WETH", name: "Wrapped Ether", decimals: 18, priceUsdE18: ETHER_USD_E18 },
  ];
}

export function findToken(tokens: readonly ChainToken[], address: string): ChainToken | undefined {
  return tokens.find((token) => isSameAddress(token.address, address));
}

/** Returns the transfer fee of a token in bps. */
export function transferFeeOf(tokens: readonly ChainToken[], address: string): bigint {
  return findToken(tokens, address)?.transferFeeBps ?? 0n;
}

export function toCurrency(chainId: number, { address, symbol, name, decimals }: ChainToken): Currency {
  const metadata = { logoURI: "", verified: true, isNative: address === EVM_NATIVE_CURRENCY };
  return { chainId, address, symbol, name, decimals, metadata };
}

/**
 * Finds a currency by address or symbol.
 *
 * @throws {@link InvalidInputError} if there is none
 */
export function findCurrency<Named extends Pick<Currency, "address" | "symbol">>(
  currencies: readonly Named[],
  wanted: string,
): Named {
  const found = currencies.find(
    ({ address, symbol }) => isSameAddress(address, wanted) || symbol.toLowerCase() === wanted.toLowerCase(),
  );
  if (found !== undefined) return found;
  throw new InvalidInputError({
    field: "currency",
    value: wanted,
    reason: `the chain has ${currencies.map(({ symbol }) => symbol).join(", ")}`,
    hint: "Pass the symbol or address of one of them.",
  });
}
