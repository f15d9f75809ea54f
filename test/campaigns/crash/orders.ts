import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseEther, toHex, zeroAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { planCalls } from "../../../sdk/src/calls/index.ts";
import { getQuote, requestIdOf, type ServiceClient } from "../../../sdk/src/index.ts";
import { localAccounts } from "../../../src/localnet/index.ts";
import type { Quote, QuoteRequest } from "../../../sdk/src/protocol/index.ts";

/** The kinds of request in a campaign, with the required final status of each. */
export const KINDS = {
  nativeToNative: "success",
  nativeToToken: "success",
  tokenToNative: "success",
  tokenToToken: "success",
  call: "success",
  revertingCall: "refund",
  shortDeposit: "refund",
} as const;

/** A kind of request. */
export type Kind = keyof typeof KINDS;

/** The parts of the network that a campaign uses. */
export interface CampaignNetwork {
  readonly originId: number;
  readonly destinationId: number;
  readonly origin: { readonly dollar: Address };
  readonly destination: { readonly dollar: Address; readonly router: Address; readonly vaultProxy: Address };
}

/** A quoted request with its own accounts, so that their final balances show the outcome. */
export interface CampaignOrder {
  readonly kind: Kind;
  readonly requestId: Hex;
  readonly orderId: Hex;
  readonly recipient: Address;
  readonly refundTo: Address;
  readonly inputCurrency: Address;
  readonly outputCurrency: Address;
  /** Amount of the deposit, in the smallest unit. */
  readonly deposited: bigint;
  /** Amount that a fill must deliver, in the smallest unit. */
  readonly expectedOutput: bigint;
}

const NATIVE_AMOUNT = parseEther("0.01");
const DOLLAR_AMOUNT = 25_000_000n;

/** Requests a quote of a kind. The accounts are derived from the index. */
export async function quoteOrder(
  client: ServiceClient,
  network: CampaignNetwork,
  kind: Kind,
  index: number,
): Promise<CampaignOrder> {
  const [recipient, refundTo] = [accountOf(2 * index), accountOf(2 * index + 1)];
  const inputCurrency = kind.startsWith("token") ? network.origin.dollar : zeroAddress;
  const outputCurrency = kind.endsWith("ToNative") ? zeroAddress : network.destination.dollar;
  const amount = inputCurrency === zeroAddress ? NATIVE_AMOUNT : DOLLAR_AMOUNT;
  const quote = await getQuote(client, {
    user: localAccounts.user.address,
    recipient,
    refundTo,
    originChainId: network.originId,
    destinationChainId: network.destinationId,
    originCurrency: inputCurrency,
    destinationCurrency: outputCurrency,
    tradeType: "EXACT_INPUT",
    amount: amount.toString(),
    ...callsOf(kind, network, recipient, amount),
  });
  return {
    kind,
    requestId: requestIdOf(quote) as Hex,
    orderId: orderIdOf(quote),
    recipient,
    refundTo,
    inputCurrency,
    outputCurrency,
    deposited: kind === "shortDeposit" ? amount / 2n : amount,
    expectedOutput: BigInt(quote.details?.currencyOut?.amount ?? "0"),
  };
}

function callsOf(
  kind: Kind,
  { destination: { dollar, router, vaultProxy } }: CampaignNetwork,
  recipient: Address,
  amount: bigint,
): Partial<QuoteRequest> {
  switch (kind) {
    case "call":
      return planCalls({
        tradeType: "EXACT_INPUT",
        router,
        destinationCurrency: dollar,
        recipient,
        amount,
        actions: [{ kind: "proxy", token: dollar, proxy: vaultProxy, recipient, deadline: maxUint256 }],
      });
    case "revertingCall":
      // Transfers more than any fill delivers.
      return {
        txs: [
          {
            to: dollar,
            data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [recipient, maxUint256] }),
            value: "0",
          },
        ],
      };
    default:
      return {};
  }
}

/** An address that no other order uses. */
function accountOf(index: number): Address {
  return privateKeyToAccount(toHex(BigInt(index) + 0xc0ffee000000n, { size: 32 })).address;
}

function orderIdOf(quote: Quote): Hex {
  const orderId = quote.protocol?.v2?.orderId;
  if (orderId == null) throw new Error("the quote has no order");
  return orderId as Hex;
}
