import type { CheckedAmount } from "./operation.ts";

/** No token has as many units, so it is meant as all there will ever be. */
const UNLIMITED = 2n ** 128n;

/** Whether an amount is not meant as one. */
export function isUnlimited(amount: CheckedAmount): boolean {
  return amount !== "balance" && amount >= UNLIMITED;
}
