import { isSameAddress } from "../../../chains/address.ts";
import type { CheckContext, Rules } from "../rule.ts";

export const allowanceRules = {
  ALLOWANCE_RESET_NEEDED: {
    severity: "error",
    meaning: "There is a non-zero allowance, and the token only changes allowances from or to zero.",
    hint: "Set the allowance to zero first.",
    find: (context) =>
      strictApprovals(context).flatMap(({ operation, before }) =>
        before === undefined || before === 0n
          ? []
          : [
              {
                index: operation.index,
                reason: `${operation.token} lets ${operation.spender} take ${before} of the router already`,
              },
            ],
      ),
  },
  ALLOWANCE_UNKNOWN: {
    severity: "warning",
    meaning:
      "The token only changes allowances from or to zero, and the current allowance is unknown: anyone may have left one.",
    hint: "Set the allowance to zero first, or read it from the chain.",
    find: (context) =>
      strictApprovals(context).flatMap(({ operation, before }) =>
        before === undefined
          ? [
              {
                index: operation.index,
                reason: `${operation.token} may let ${operation.spender} take something of the router already`,
              },
            ]
          : [],
      ),
  },
  ALLOWANCE_LEFT: {
    severity: "warning",
    meaning: "An approval remains after the fill, on a public router.",
    hint: "Set the allowance to zero after its last use.",
    find: ({ allowances }) =>
      allowances.standing.flatMap(({ token, spender, amount, index }) =>
        index === undefined
          ? []
          : [
              {
                index,
                reason: `${spender} may take ${amount === "balance" ? "what it left" : amount} of ${token} afterwards`,
              },
            ],
      ),
  },
  VIA_CALL_NEEDS_ANSWER: {
    severity: "error",
    meaning: "cleanupErc20sViaCall fails on a token whose approve returns nothing.",
    hint: "Approve the token with a separate call, or push it with cleanupErc20s.",
    find: ({ operations, facts }) =>
      operations.flatMap((operation) =>
        operation.kind === "approve" &&
        operation.isViaCall &&
        facts.tokens?.some(
          ({ address, approveReturnsNothing }) =>
            approveReturnsNothing === true && isSameAddress(address, operation.token),
        ) === true
          ? [{ index: operation.index, reason: `${operation.token} returns nothing from approve` }]
          : [],
      ),
  },
} as const satisfies Rules;

/** Approvals of non-zero amounts, of tokens that reject a change from one allowance to another. */
function strictApprovals({ allowances, facts }: CheckContext): CheckContext["allowances"]["approvals"] {
  const strict = (facts.tokens ?? []).filter(({ refusesAllowanceChange }) => refusesAllowanceChange === true);
  return allowances.approvals.filter(
    ({ operation: { amount, isAdded, token } }) =>
      amount !== 0n && !isAdded && strict.some(({ address }) => isSameAddress(address, token)),
  );
}
