import type { RequestRow } from "../store/tables/requestTables.ts";

/** Whether a request only returns a deposit: nothing may ever be filled for it. */
export function isReturn({ expected_output_amount }: Pick<RequestRow, "expected_output_amount">): boolean {
  return BigInt(expected_output_amount) === 0n;
}
