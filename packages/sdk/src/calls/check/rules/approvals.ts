import { isSameAddress } from "@crosscall/protocol/chains";
import { type FollowedTake, PERMIT2_UNLIMITED } from "../followAllowances.ts";
import type { ApproveOperation, CheckedAmount } from "../operation.ts";
import { routerGenerationOf } from "@crosscall/protocol/generations";
import type { CheckContext, Rules, Violation } from "../rule.ts";

/** Latest expiration in Permit2, a uint48. */
const FOREVER = 2n ** 48n - 1n;

export const allowanceRules = {
  ALLOWANCE_RESET_NEEDED: {
    severity: "error",
    meaning: "The allowance is not zero, and the token only changes allowances from or to zero.",
    hint: "Set the allowance to zero first.",
    find: (context) =>
      strictApprovals(context).flatMap(({ operation, before }) =>
        before === undefined || before === 0n
          ? []
          : [
              {
                index: operation.index,
                reason: `${operation.spender} already has an allowance of ${before} for ${operation.token}`,
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
                reason: `${operation.spender} may already have an allowance for ${operation.token}`,
              },
            ]
          : [],
      ),
  },
  ALLOWANCE_LEFT: {
    severity: "warning",
    meaning:
      "An approval of the public router remains after the fill. Proxies and the live puller may keep theirs: they take tokens from their caller only.",
    hint: "Set the allowance to zero after its last use.",
    find: ({ allowances, takesAll, facts: { timestamp = 0n } }) => [
      ...allowances.standing.flatMap(({ token, spender, amount, most, index }) =>
        index === undefined || takesAll(spender)
          ? []
          : [
              {
                index,
                reason: `${spender} can take ${nameRest(amount, most)} of ${token} afterwards`,
              },
            ],
      ),
      ...allowances.standingInPermit2.flatMap(({ token, spender, amount, most, expiration, index }) =>
        // An expiration of 0 ends with the block.
        index === undefined || expiration === 0n || expiration < timestamp
          ? []
          : [
              {
                index,
                reason: `${spender} can take ${most === PERMIT2_UNLIMITED ? "any amount" : nameRest(amount, most)} of ${token} through Permit2 afterwards, ${expiration === FOREVER ? "forever" : `until ${expiration}`}`,
                hint: "Set the allowance in Permit2 to zero after its last use, with its lockdown or approve.",
              },
            ],
      ),
    ],
  },
  VIA_CALL_NEEDS_ANSWER: {
    severity: "error",
    meaning: "cleanupErc20sViaCall of a router before 3.1 fails on a token whose approve returns nothing.",
    hint: "Approve the token with a separate call, or push it with cleanupErc20s.",
    find: ({ operations, facts, contracts }) =>
      operations.flatMap((operation) =>
        operation.kind === "approve" &&
        operation.isViaCall &&
        !approvesAnyToken(contracts) &&
        facts.tokens?.some(
          ({ address, approveReturnsNothing }) =>
            approveReturnsNothing === true && isSameAddress(address, operation.token),
        ) === true
          ? [{ index: operation.index, reason: `${operation.token} returns nothing from approve` }]
          : [],
      ),
  },
} as const satisfies Rules;

function nameRest(amount: CheckedAmount, most: CheckedAmount): string {
  if (most === "balance") return "the remainder";
  return amount === most ? String(most) : `up to ${most}`;
}

/** Whether the router's `cleanupErc20sViaCall` supports every token. */
function approvesAnyToken({ router }: CheckContext["contracts"]): boolean {
  return routerGenerationOf(router)?.approvesAnyToken === true;
}

/** USDT on Ethereum rejects a change between non-zero allowances. */
const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7";

/** Approvals of non-zero amounts of tokens that reject a change between non-zero allowances. */
function strictApprovals({ allowances, facts, contracts }: CheckContext): CheckContext["allowances"]["approvals"] {
  const { tokens = [] } = facts;
  const isStrict = (token: string): boolean =>
    tokens.find(({ address }) => isSameAddress(address, token))?.refusesAllowanceChange ?? isSameAddress(token, USDT);
  return allowances.approvals.filter(
    ({ operation: { amount, isAdded, token, isViaCall } }) =>
      amount !== 0n && !isAdded && !(isViaCall && approvesAnyToken(contracts)) && isStrict(token),
  );
}

/** Rules about approvals (spec 2, call rule 2). */
export const approvalRules = {
  APPROVAL_MISSING: {
    severity: "error",
    meaning: "A contract takes a token without an approval.",
    hint: "Approve the contract for the token before the call.",
    find: (context) =>
      unapproved(context, (take) =>
        // PERMIT2_APPROVAL_MISSING covers contracts that take tokens through Permit2.
        take.operation.through === undefined &&
        laterApproval(take, context) === undefined &&
        strayApproval(take, context) === undefined
          ? {
              index: take.operation.index,
              reason: `${take.operation.spender} takes ${describe(take)}, but has no allowance`,
            }
          : undefined,
      ),
  },
  APPROVAL_AFTER_USE: {
    severity: "error",
    meaning: "An approval comes after the call that needs it.",
    hint: "Move the approval before the call.",
    find: (context) =>
      unapproved(context, (take) => {
        const later = laterApproval(take, context);
        if (later === undefined) return undefined;
        return {
          index: later.index,
          reason: `txs[${take.operation.index}] takes ${describe(take)} before ${take.operation.spender} is approved`,
        };
      }),
  },
  APPROVAL_TO_OTHER_SPENDER: {
    severity: "error",
    meaning: "A contract takes a token that is approved for a different spender, which is never called.",
    hint: "Approve the contract that takes the token.",
    find: (context) =>
      unapproved(context, (take) => {
        const stray = strayApproval(take, context);
        const isOther = take.operation.through !== undefined || laterApproval(take, context) !== undefined;
        if (stray === undefined || isOther) return undefined;
        return {
          index: stray.index,
          reason: `${stray.spender} is approved, but ${take.operation.spender} takes ${describe(take)} in txs[${take.operation.index}]`,
          hint: `Approve ${take.operation.spender} instead.`,
        };
      }),
  },
  APPROVAL_TOO_SMALL: {
    severity: "error",
    meaning: "A contract takes more of a token than its approval allows.",
    hint: "Approve the amount that the contract takes.",
    find: (context) =>
      context.allowances.takes.flatMap((take) => {
        const { allowance, operation } = take;
        const need = needOf(take, context);
        if (allowance === "balance" || allowance === 0n || allowance >= need) return [];
        return [
          {
            index: operation.index,
            reason: `${operation.spender} takes ${need} of ${take.token ?? "a token"}, but its allowance is ${allowance}`,
          },
        ];
      }),
  },
} as const satisfies Rules;

function unapproved(context: CheckContext, judge: (take: FollowedTake) => Violation | undefined): Violation[] {
  return context.allowances.takes.flatMap((take) => {
    if (take.allowance !== 0n || needOf(take, context) === 0n) return [];
    const violation = judge(take);
    return violation === undefined ? [] : [violation];
  });
}

/** Finds an approval that comes after the call that needs it. */
function laterApproval({ operation, token }: FollowedTake, { operations }: CheckContext): ApproveOperation | undefined {
  const position = operations.findIndex((other) => other.kind === "take" && isSameTake(other, operation));
  return operations.slice(position).find((other): other is ApproveOperation => isFor(other, operation.spender, token));
}

/** Finds an approval for an account that no later call uses. */
function strayApproval({ operation, token }: FollowedTake, { operations }: CheckContext): ApproveOperation | undefined {
  const isMeant = (approved: string): boolean => token === undefined || isSameAddress(token, approved);
  return operations.find(
    (other): other is ApproveOperation =>
      other.kind === "approve" &&
      other.index < operation.index &&
      other.amount !== 0n &&
      isMeant(other.token) &&
      !isSameAddress(other.spender, operation.spender) &&
      !operations.some((call) => call.kind === "call" && isSameAddress(call.call.to, other.spender)),
  );
}

function isFor(
  operation: CheckContext["operations"][number],
  spender: string,
  token: string | undefined,
): operation is ApproveOperation {
  return (
    operation.kind === "approve" &&
    operation.amount !== 0n &&
    isSameAddress(operation.spender, spender) &&
    (token === undefined || isSameAddress(operation.token, token))
  );
}

function isSameTake(a: FollowedTake["operation"], b: FollowedTake["operation"]): boolean {
  return a.index === b.index && a.spender === b.spender && a.amount === b.amount;
}

function needOf({ operation, token }: FollowedTake, { request, isDelivered }: CheckContext): bigint {
  if (operation.amount !== "balance") return operation.amount ?? 1n;
  // With EXACT_INPUT, the delivered amount is unknown.
  const isKnown = request.tradeType === "EXACT_OUTPUT" && isDelivered(token) && /^\d{1,78}$/u.test(request.amount);
  return isKnown ? BigInt(request.amount) : 1n;
}

function describe({ operation, token }: FollowedTake): string {
  const amount = typeof operation.amount === "bigint" ? `${operation.amount} of ` : "";
  return `${amount}${token ?? "a token"}`;
}
