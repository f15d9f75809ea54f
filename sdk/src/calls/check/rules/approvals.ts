import { isSameAddress } from "../../../chains/address.ts";
import type { FollowedTake } from "../followAllowances.ts";
import type { ApproveOperation } from "../operation.ts";
import type { CheckContext, Rules, Violation } from "../rule.ts";

/** Spec 2, call rule 2. */
export const approvalRules = {
  APPROVAL_MISSING: {
    severity: "error",
    meaning: "A contract takes a token without an approval.",
    hint: "Approve the token to the contract before the call.",
    find: (context) =>
      unapproved(context, (take) =>
        laterApproval(take, context) === undefined && strayApproval(take, context) === undefined
          ? {
              index: take.operation.index,
              reason: `${take.operation.spender} takes ${describe(take)}, and the router lets it take nothing`,
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
    meaning: "The token that a contract takes is approved to a different spender, which is never called.",
    hint: "Approve the contract that takes the token.",
    find: (context) =>
      unapproved(context, (take) => {
        const stray = strayApproval(take, context);
        if (stray === undefined || laterApproval(take, context) !== undefined) return undefined;
        return {
          index: stray.index,
          reason: `${stray.spender} is approved, and ${take.operation.spender} takes ${describe(take)} in txs[${take.operation.index}]`,
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
            reason: `${operation.spender} takes ${need} of ${take.token ?? "a token"}, and may take ${allowance}`,
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

/** An approval after the take that needs it. */
function laterApproval({ operation, token }: FollowedTake, { operations }: CheckContext): ApproveOperation | undefined {
  const position = operations.findIndex((other) => other.kind === "take" && isSameTake(other, operation));
  return operations.slice(position).find((other): other is ApproveOperation => isFor(other, operation.spender, token));
}

/** An approval for an account that is never called afterwards. */
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
