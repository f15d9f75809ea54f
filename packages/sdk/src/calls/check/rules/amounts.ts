import { isEvmNative } from "@crosscall/protocol/chains";
import { decodeCalls } from "../../decode/decodeCalls.ts";
import { type DecodedCall, flattenCalls } from "../../decode/decodedCall.ts";
import { knownOf } from "../../decode/knownFunctions.ts";
import { readAccount, readAmount } from "../../decode/readArgument.ts";
import type { DecodedProgram } from "../../program/decodedProgram.ts";
import { isUnlimited, nameToken } from "../operation.ts";
import type { CheckContext, Rules } from "../rule.ts";

/** Default minimum of the builders, which requires only a non-zero output. */
const TRIVIAL = 1n;

export const minimumRules = {
  MINIMUM_OUT_MISSING: {
    severity: "warning",
    meaning: "A minimum output is 0 or 1, so the call succeeds at any price, even a manipulated one.",
    hint: "Set minimumOut to the lowest output that the user accepts.",
    find: ({ calls }) =>
      calls.flatMap((call, index) =>
        [...findTrivial([call]), ...flattenCalls([call]).flatMap(findInProgram)].map((reason) => ({ index, reason })),
      ),
  },
} as const satisfies Rules;

function findInProgram(call: DecodedCall): string[] {
  if (call.kind !== "function" || call.program === undefined) return [];
  const { checks, steps }: DecodedProgram = call.program;
  // The program's own checks cover its steps.
  if (checks.length > 0) {
    return checks.flatMap(({ token, minimumOut }) =>
      minimumOut <= TRIVIAL ? [`the program requires ${minimumOut} of ${nameToken(token)}`] : [],
    );
  }
  const inner = steps.map(({ target, data }) => decodeCalls([{ to: target, data, value: "0" }]));
  return inner.flatMap((each, step) => findTrivial(each).map((reason) => `step ${step + 1}: ${reason}`));
}

function findTrivial(calls: readonly DecodedCall[]): string[] {
  return calls.flatMap((call) => {
    if (call.kind !== "function") return [];
    const path = call.family === undefined ? undefined : knownOf(call)?.known.minimumOut;
    const minimum = path === undefined ? undefined : readAmount(call.args, path);
    const isTrivial = minimum !== undefined && minimum <= TRIVIAL;
    return [
      ...(isTrivial ? [`${call.signature} of ${call.to} accepts ${minimum} as ${path}`] : []),
      // In a Uniswap multicall or plan, the call that forwards the output can have the minimum.
      ...(call.calls.some(sendsWithMinimum) ? [] : findTrivial(call.calls)),
    ];
  });
}

function sendsWithMinimum(call: DecodedCall): boolean {
  if (call.kind !== "function") return false;
  // The universal router's plans can be nested.
  if (call.calls.some(sendsWithMinimum)) return true;
  const minimum = readAmount(call.args, "amountMinimum") ?? readAmount(call.args, "minBalance") ?? 0n;
  return (call.family === "Uniswap v3" || call.family === "universal router") && minimum > TRIVIAL;
}

/** Rules about the delivered amount (spec 2, call rule 3). */
export const deliveredAmountRules = {
  AMOUNT_IN_CALL_DATA: {
    severity: "error",
    meaning: "With EXACT_INPUT, a call contains a fixed amount of the token whose delivered amount is unknown.",
    hint: "Approve the maximum to a proxy that reads its live balance, or run a program with a live amount.",
    find: (context) =>
      fixedUses(context).flatMap(({ token, index, amount, sum }) => {
        if (isEvmNative(token)) return [];
        const all = sum === amount ? "" : `, ${sum} with earlier calls`;
        return [{ index, reason: `it uses a fixed ${amount} of ${token}${all}, but the delivered amount is variable` }];
      }),
  },
  NATIVE_VALUE_WITH_EXACT_INPUT: {
    severity: "error",
    meaning: "With EXACT_INPUT of the native currency, a call has a fixed value.",
    hint: "Send the native currency with cleanupNativeViaCall and the amount zero, which means all.",
    find: (context) =>
      fixedUses(context).flatMap(({ token, index, amount, sum }) => {
        if (!isEvmNative(token)) return [];
        const all = sum === amount ? "" : `, ${sum} with earlier calls`;
        return [{ index, reason: `it sends ${amount} wei${all}, but the delivered amount is variable` }];
      }),
  },
  NATIVE_CALL_SKIPPED: {
    severity: "warning",
    meaning:
      "The router skips cleanupNativeViaCall when it holds no native currency, so the fill succeeds without the call and its limits.",
    hint: "Put requireNative before it, so that the fill fails without native currency.",
    find: ({ operations, isRouter }) => {
      let isRequired = false;
      return operations.flatMap((operation, position) => {
        if (operation.kind === "call" && operation.isSelf && requiresNative(operation.call, isRouter))
          isRequired = true;
        if (operation.kind !== "send" || !isEvmNative(operation.token)) return [];
        const { index, to, amount } = operation;
        const next = operations[position + 1];
        const isCall = next?.kind === "call" && next.index === index && next.call.kind !== "empty";
        const isSkipped = isCall && amount === "balance" && !isRequired;
        isRequired = false;
        return isSkipped ? [{ index, reason: `without native currency, ${to} is not called, and nothing fails` }] : [];
      });
    },
  },
  MORE_THAN_DELIVERED: {
    severity: "error",
    meaning: "The calls use more of a token than the fill delivers, so the fill fails.",
    hint: "Request the amount that the calls use, or use less in the calls.",
    find: ({ holdings, request, isDelivered }) =>
      holdings.shortfalls.flatMap(({ operation, token, held, used }) =>
        // Other rules cover variable amounts and the sum of the values.
        (request.tradeType === "EXACT_INPUT" && isDelivered(token)) ||
        (isEvmNative(token) && operation.kind === "send" && !operation.isSweep)
          ? []
          : [
              {
                index: operation.index,
                reason: `it uses ${used} of ${nameToken(token)}, but the router has at most ${held}`,
              },
            ],
      ),
  },
} as const satisfies Rules;

/** Whether the call makes the router send itself an amount, which fails if its balance is lower. */
function requiresNative(call: DecodedCall, isRouter: (account: string) => boolean): boolean {
  if (call.kind !== "function" || call.name !== "cleanupNativeViaCall") return false;
  return isRouter(readAccount(call.args, "to") ?? "") && (readAmount(call.args, "amount") ?? 0n) > 0n;
}

interface FixedUse {
  readonly index: number;
  readonly token: string;
  readonly amount: bigint;
  /** Including earlier uses. */
  readonly sum: bigint;
}

function fixedUses({ operations, request, facts, isDelivered }: CheckContext): FixedUse[] {
  if (request.tradeType !== "EXACT_INPUT") return [];
  const { minimumDelivered = 0n } = facts;
  let used = 0n;
  return operations.flatMap((operation): FixedUse[] => {
    if (operation.kind === "call" || operation.kind === "pay" || !isDelivered(operation.token)) return [];
    const { kind, index, amount, token = "" } = operation;
    if (kind === "gain") {
      // Returned amounts can be reused.
      used = amount === undefined || amount > used ? 0n : used - amount;
      return [];
    }
    if (amount === undefined || amount === "balance" || isUnlimited(amount)) return [];
    // An approval itself uses no funds.
    const isApproval = kind === "approve" || kind === "permit2Approve";
    const sum = isApproval ? amount : used + amount;
    if (!isApproval) used = sum;
    return sum > minimumDelivered ? [{ index, token, amount, sum }] : [];
  });
}
