import type { Hex } from "viem";

import type { Quote } from "@crosscall/sdk/internal/protocol/complete";
import type { QuoteRequest } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";
import type { Market } from "../market.ts";

/** What `protocol.v2` of a quote has beside the order. */
export type ProtocolData = Pick<NonNullable<Quote["protocol"]>["v2"], "hubType" | "orderSignature">;

/** Where balances are kept and, where the request asks for it, the solver's EIP-191 signature over the order id. */
export async function protocolDataOf(
  { solver }: Pick<Market, "solver">,
  { includeProtocolData }: QuoteRequest,
  orderId: Hex,
): Promise<ProtocolData> {
  if (includeProtocolData !== true) return { hubType: "onchain" };
  return { hubType: "onchain", orderSignature: await solver.signMessage({ message: { raw: orderId } }) };
}
