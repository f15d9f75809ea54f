import { isSameAddress } from "../../../chains/address.ts";
import { isNative } from "../isNative.ts";
import { nameToken } from "../nameToken.ts";
import type { GainOperation, Operation } from "../operation.ts";
import type { CheckContext, Rules } from "../rule.ts";

/** That nothing rests with the router, which everybody uses (spec 2, call rule 4). */
export const cleanupRules = {
  LEFTOVER_TOKEN: {
    severity: "warning",
    meaning: "Some of the delivered token may stay with the router, where anyone can take it.",
    cure: "Sweep the token to the recipient with cleanupErc20s after its last use.",
    find: ({ holdings, request }) => {
      const left = holdings.left.get(request.destinationCurrency.toLowerCase());
      if (left === undefined || isNative(request.destinationCurrency)) return [];
      const amount = left === "balance" ? "what is left" : `${left}`;
      return [{ reason: `nothing sweeps ${amount} of ${request.destinationCurrency}` }];
    },
  },
  LEFTOVER_NATIVE: {
    severity: "warning",
    meaning: "Some native currency may stay with the router, which sends it where the solver says.",
    cure: "Sweep the native currency to the recipient with cleanupNative after its last use.",
    find: ({ holdings }) =>
      [...holdings.left].flatMap(([token, left]) =>
        isNative(token) ? [{ reason: `nothing sweeps ${left === "balance" ? "the native left" : `${left} wei`}` }] : [],
      ),
  },
  CREDITS_ROUTER: {
    severity: "error",
    meaning: "A function credits the router, where anyone can take what it gives, and nothing takes it from there.",
    cure: "Call the form that names a recipient, and name the user.",
    find: (context) =>
      context.operations.flatMap((operation, position) =>
        operation.kind === "gain" &&
        !isNativeGain(operation) &&
        !context.operations.slice(position + 1).some((later) => takesAway(later, operation, context))
          ? [
              {
                index: operation.index,
                reason: `${operation.signature} gives ${operation.token === undefined ? "what comes of it" : nameToken(operation.token)} to the router`,
                cure: operation.cure,
              },
            ]
          : [],
      ),
  },
  CLEANUP_BEFORE_USE: {
    severity: "error",
    meaning: "A cleanup sweeps all of a token that a later call uses.",
    cure: "Move the cleanup behind the last use.",
    find: ({ holdings }) =>
      holdings.lateUses.map(({ token, sweptAt, usedAt }) => ({
        index: sweptAt,
        reason: `it sweeps all of ${nameToken(token)}, which txs[${usedAt}] uses`,
      })),
  },
} as const satisfies Rules;

function isNativeGain({ token }: GainOperation): boolean {
  return token !== undefined && isNative(token);
}

function takesAway(later: Operation, { token, isPerhapsNative }: GainOperation, context: CheckContext): boolean {
  if (isPerhapsNative && token === undefined && later.kind === "send" && later.isSweep && isNative(later.token)) {
    return true;
  }
  if (later.kind !== "send" && later.kind !== "take" && later.kind !== "approve") return false;
  if (later.amount === 0n || later.token === undefined || isNative(later.token)) return false;
  if (token !== undefined) return isSameAddress(later.token, token);
  // A token that was neither delivered nor taken is likely what was bought.
  const { operations, isDelivered } = context;
  const isSpent = operations.some(
    (other) => other.kind === "take" && other.token !== undefined && isSameAddress(other.token, later.token ?? ""),
  );
  return !isDelivered(later.token) && (!isSpent || later.kind !== "send");
}
