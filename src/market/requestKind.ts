import type { RequestRow } from "../store/tables/requestTables.ts";

/** Whether a request only returns a deposit: nothing may ever be filled for it. */
export function isReturn({ expected_output_amount }: Pick<RequestRow, "expected_output_amount">): boolean {
  return BigInt(expected_output_amount) === 0n;
}

/** Whether a request is one transaction of the user on one chain: no order, no deposit, no solver. */
export function isUserExecuted(
  request: Pick<RequestRow, "origin_chain_id" | "destination_chain_id" | "deposit_address" | "expected_output_amount">,
): boolean {
  const isOneChain = request.origin_chain_id === request.destination_chain_id;
  return isOneChain && request.deposit_address === null && !isReturn(request);
}
