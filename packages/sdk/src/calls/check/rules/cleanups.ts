import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import { isNativeRefund } from "../listOperations.ts";
import { type GainOperation, nameToken, type Operation, type PayOperation } from "../operation.ts";
import type { CheckContext, Rules } from "../rule.ts";

/** Rules about funds that are left on the router (spec 2, call rule 4). */
export const cleanupRules = {
  LEFTOVER_TOKEN: {
    severity: "warning",
    meaning: "Some of the delivered token can remain on the router, where anyone can take it.",
    hint: "Sweep the token to the recipient with cleanupErc20s after its last use.",
    find: ({ holdings, request }) => {
      const left = holdings.left.get(request.destinationCurrency.toLowerCase());
      if (left === undefined || isEvmNative(request.destinationCurrency)) return [];
      const amount = left === "balance" ? "the remainder" : `${left}`;
      return [{ reason: `no call sweeps ${amount} of ${request.destinationCurrency}` }];
    },
  },
  LEFTOVER_NATIVE: {
    severity: "warning",
    meaning: "Some native currency can remain on the router, which sends it to an address that the solver chooses.",
    hint: "Sweep the native currency to the recipient with cleanupNative after its last use.",
    find: ({ holdings }) =>
      [...holdings.left].flatMap(([token, left]) =>
        isEvmNative(token)
          ? [{ reason: `no call sweeps ${left === "balance" ? "the remaining native currency" : `${left} wei`}` }]
          : [],
      ),
  },
  CREDITS_ROUTER: {
    severity: "error",
    meaning: "A function credits the router, where anyone can take the output, and no later call moves it.",
    hint: "Use the variant with a recipient, and pass the user.",
    find: (context) =>
      context.operations.flatMap((operation, position) =>
        operation.kind === "gain" && !isNativeGain(operation) && staysWithRouter(operation, position, context)
          ? [
              {
                index: operation.index,
                reason: `${operation.signature} credits ${operation.token === undefined ? "its output" : nameToken(operation.token)} to the router`,
                hint: operation.hint,
              },
            ]
          : [],
      ),
  },
  NATIVE_NOT_REFUNDED: {
    severity: "warning",
    meaning: "A Uniswap v3 swap can receive more native currency than it uses, and anyone can take the rest.",
    hint: "Call refundETH after the swaps of the same multicall, and sweep the native currency afterwards.",
    find: ({ operations }) =>
      operations.flatMap((sent) => {
        if (sent.kind !== "send" || !isEvmNative(sent.token) || sent.amount === "balance") return [];
        const pays = operations.filter(
          (other): other is PayOperation =>
            other.kind === "pay" &&
            other.family === "Uniswap v3" &&
            other.index === sent.index &&
            isSameAddress(other.spender, sent.to),
        );
        const kept = pays.reduce((sum, { amount, isMaximum }) => sum + (isMaximum ? 0n : amount), 0n);
        const last = pays.at(-1);
        if (last === undefined || kept >= sent.amount) return [];
        const isRefunded = operations
          .slice(operations.indexOf(last) + 1)
          .some((other) => isNativeRefund(other) && isSameAddress(other.call.to, sent.to));
        if (isRefunded) return [];
        return [{ index: sent.index, reason: `${sent.to} receives ${sent.amount} wei, but may keep only ${kept}` }];
      }),
  },
  CLEANUP_BEFORE_USE: {
    severity: "error",
    meaning: "A cleanup sweeps all of a token that a later call uses.",
    hint: "Move the cleanup after the last use.",
    find: ({ holdings }) =>
      holdings.lateUses.map(({ token, sweptAt, usedAt }) => ({
        index: sweptAt,
        reason: `it sweeps all of ${nameToken(token)}, which txs[${usedAt}] needs`,
      })),
  },
} as const satisfies Rules;

function isNativeGain({ token }: GainOperation): boolean {
  return token !== undefined && isEvmNative(token);
}

function staysWithRouter(gain: GainOperation, position: number, context: CheckContext): boolean {
  if (gain.token !== undefined) return context.holdings.unclaimed.has(gain);
  const rest = context.operations.slice(position + 1);
  return !rest.some((later, place) => takesAway(later, gain, rest.slice(place + 1), context));
}

/** Whether an operation likely takes a gain of an unknown token. */
function takesAway(
  later: Operation,
  { isPerhapsNative }: GainOperation,
  rest: readonly Operation[],
  { operations, isDelivered, takesAll }: CheckContext,
): boolean {
  if (later.kind !== "send" && later.kind !== "take" && later.kind !== "approve") return false;
  const { kind, token } = later;
  if (kind === "send" && isPerhapsNative && later.isSweep && isEvmNative(later.token))
    return later.amount === "balance";
  // A token that was neither delivered nor taken was likely bought.
  if (token === undefined || isEvmNative(token) || isDelivered(token)) return false;
  switch (kind) {
    case "send":
      return (
        later.isSweep &&
        later.amount === "balance" &&
        !operations.some(
          (other) => other.kind === "take" && other.token !== undefined && isSameAddress(other.token, token),
        )
      );
    case "take":
      return later.amount === "balance" && takesAll(later.spender);
    case "approve":
      return (
        later.amount !== 0n && rest.some((call) => call.kind === "call" && isSameAddress(call.call.to, later.spender))
      );
  }
}
