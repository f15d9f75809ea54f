import type { CheckedAmount } from "./operation.ts";

/** No token has as many units, so the amount means unlimited. */
const UNLIMITED = 2n ** 128n;

export function isUnlimited(amount: CheckedAmount): boolean {
  return amount !== "balance" && amount >= UNLIMITED;
}
