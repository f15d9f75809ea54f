import { isEvmNative } from "../../chains/address.ts";
import { InvalidInputError } from "../../core/errors.ts";
import type { Call } from "../../protocol/common/call.ts";
import { sumCallValues } from "../../protocol/common/call.ts";
import type { PlanTerms } from "./planTerms.ts";

/** In the smallest unit (spec 2, call rule 1, where it applies). */
export function amountOfPlan({ tradeType, destinationCurrency, amount }: PlanTerms, txs: readonly Call[]): bigint {
  if (tradeType === "EXACT_OUTPUT" && isEvmNative(destinationCurrency)) {
    const sum = sumCallValues(txs);
    if (sum > 0n && (amount === undefined || amount === sum)) return sum;
    throw new InvalidInputError({
      field: "amount",
      value: amount,
      reason: `with EXACT_OUTPUT of the native currency it is the sum of all values, ${sum}, and more than zero`,
      hint: "Leave amount out, and give the calls the values that they need.",
    });
  }
  if (amount !== undefined && amount > 0n) return amount;
  throw new InvalidInputError({
    field: "amount",
    value: amount,
    reason:
      tradeType === "EXACT_INPUT"
        ? "with EXACT_INPUT it is what the user sends, and more than zero"
        : "with EXACT_OUTPUT of a token it is what the calls need of it, and more than zero",
    hint: "Pass amount in the smallest unit.",
  });
}
