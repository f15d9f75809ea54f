import { isSameAddress } from "@crosscall/protocol/chains";
import type { Feature, RequestType } from "@crosscall/protocol/common";
import { transactionTypeOf } from "@crosscall/protocol/fees";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import type { RequestRow } from "../store/requests/requests.ts";
import type { ResolvedQuote } from "./quote/resolveQuote.ts";

/** Returns the type of a request (spec 1, section 2.1). */
export function requestTypeOf({
  origin,
  destination,
  input: { currency: input },
  output: { currency: output },
  txs,
}: Pick<ResolvedQuote, "origin" | "destination" | "input" | "output" | "txs">): RequestType {
  if (txs.length > 0) return "Call";
  if (origin.id !== destination.id) return input.symbol === output.symbol ? "Bridge" : "Crosschain Swap";
  if (isSameAddress(input.address, output.address)) return "Send";
  if (transactionTypeOf(input, output) !== "wrap") return "Same-chain Swap";
  return input.metadata.isNative ? "Wrap" : "Unwrap";
}

export function featuresOf({
  appFees = [],
  useDepositAddress,
  usePermit,
  topupGas,
  fixedRate,
}: QuoteRequest): Feature[] {
  return [
    ...(usePermit === true ? (["gasless_swap"] as const) : []),
    ...(topupGas === true ? (["gas_top_up"] as const) : []),
    ...(fixedRate === undefined ? [] : (["fixed_rate"] as const)),
    ...(appFees.length > 0 ? (["app_fees"] as const) : []),
    ...(useDepositAddress === true ? (["deposit_address"] as const) : []),
  ];
}

/**
 * Returns whether a request only returns a deposit, and so is never filled. A call without a quote has no amounts
 * either.
 */
export function isReturn({
  expected_output_amount,
  request_type,
}: Pick<RequestRow, "expected_output_amount" | "request_type">): boolean {
  return BigInt(expected_output_amount) === 0n && request_type !== "Call";
}

/** Returns whether the user executes the request: one transaction on one chain, without order, deposit and solver. */
export function isUserExecuted(
  request: Pick<
    RequestRow,
    "origin_chain_id" | "destination_chain_id" | "deposit_address" | "expected_output_amount" | "request_type"
  >,
): boolean {
  const isOneChain = request.origin_chain_id === request.destination_chain_id;
  return isOneChain && request.deposit_address === null && !isReturn(request);
}
