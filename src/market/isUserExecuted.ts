import type { RequestRow } from "../store/tables/requestTables.ts";
import { isReturn } from "./isReturn.ts";

/** Whether a request is one transaction of the user on one chain: no order, no deposit, no solver. */
export function isUserExecuted(
  request: Pick<RequestRow, "origin_chain_id" | "destination_chain_id" | "deposit_address" | "expected_output_amount">,
): boolean {
  const isOneChain = request.origin_chain_id === request.destination_chain_id;
  return isOneChain && request.deposit_address === null && !isReturn(request);
}
