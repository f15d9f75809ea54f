import type { RequestRow } from "../../store/schema.ts";

/** Whether a request is one transaction of the user on one chain: no order, no deposit, no solver. */
export function isUserExecuted(
  request: Pick<RequestRow, "origin_chain_id" | "destination_chain_id" | "deposit_address">,
): boolean {
  return request.origin_chain_id === request.destination_chain_id && request.deposit_address === null;
}
