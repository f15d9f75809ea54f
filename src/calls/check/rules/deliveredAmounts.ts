import { isNative } from "../isNative.ts";
import { isUnlimited } from "../isUnlimited.ts";
import type { CheckedAmount } from "../operation.ts";
import type { CheckContext, Rules } from "../rule.ts";

/** That no amount is fixed where the delivered one is not known (spec 2, call rule 3). */
export const deliveredAmountRules = {
  AMOUNT_IN_CALL_DATA: {
    severity: "error",
    meaning: "With EXACT_INPUT, a call fixes an amount of the token of which nobody knows how much is delivered.",
    cure: "Approve the maximum to a proxy that reads its live balance, or run a program with a live amount.",
    find: (context) =>
      context.operations.flatMap((operation) => {
        if (operation.kind === "call" || operation.kind === "gain") return [];
        const { token, amount, index } = operation;
        if (token === undefined || isNative(token) || !isFixed(amount, token, context)) return [];
        return [{ index, reason: `it fixes ${amount} of ${token}, and the delivered amount is variable` }];
      }),
  },
  NATIVE_VALUE_WITH_EXACT_INPUT: {
    severity: "error",
    meaning: "With EXACT_INPUT of the native currency, a call has a fixed value.",
    cure: "Bring the native by cleanupNativeViaCall with an amount of zero, which means all.",
    find: (context) =>
      context.operations.flatMap((operation) =>
        operation.kind === "send" && isNative(operation.token) && isFixed(operation.amount, operation.token, context)
          ? [
              {
                index: operation.index,
                reason: `it sends ${operation.amount} wei, and the delivered amount is variable`,
              },
            ]
          : [],
      ),
  },
} as const satisfies Rules;

function isFixed(
  amount: CheckedAmount | undefined,
  token: string,
  { request, facts, isDelivered }: CheckContext,
): amount is bigint {
  if (request.tradeType !== "EXACT_INPUT" || !isDelivered(token)) return false;
  if (amount === undefined || amount === "balance" || isUnlimited(amount)) return false;
  // What is delivered at the very least can be counted on.
  return amount > (facts.minimumDelivered ?? 0n);
}
