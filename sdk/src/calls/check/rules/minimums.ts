import { type Hex, slice } from "viem";

import type { DecodedCall, DecodedFunctionCall } from "../../decode/decodedCall.ts";
import { decodeCalls } from "../../decode/decodeCalls.ts";
import { flattenCalls } from "../../decode/flattenCalls.ts";
import { findKnownFunction } from "../../decode/knownFunctions.ts";
import { readAmount } from "../../decode/readArgument.ts";
import type { DecodedProgram } from "../../program/decodedProgram.ts";
import { nameToken } from "../nameToken.ts";
import type { Rules } from "../rule.ts";

/** The default of the builders, which only requires that something arrives. */
const TRIVIAL = 1n;

export const minimumRules = {
  MINIMUM_OUT_MISSING: {
    severity: "warning",
    meaning: "A minimum output is 0 or 1, so the call succeeds at any price, which others can move.",
    hint: "Set minimumOut to the least output that the user accepts.",
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
    const { minimumOut: path } = knownOf(call) ?? {};
    const minimum = path === undefined ? undefined : readAmount(call.args, path);
    const isTrivial = minimum !== undefined && minimum <= TRIVIAL;
    return [
      ...(isTrivial ? [`${call.signature} of ${call.to} accepts ${minimum} as ${path}`] : []),
      // In a multicall of Uniswap, the call that sends the output on has a minimum, too.
      ...(call.calls.some(sendsWithMinimum) ? [] : findTrivial(call.calls)),
    ];
  });
}

function sendsWithMinimum(call: DecodedCall): boolean {
  return (
    call.kind === "function" && call.family === "Uniswap v3" && (readAmount(call.args, "amountMinimum") ?? 0n) > TRIVIAL
  );
}

function knownOf({ data, family }: DecodedFunctionCall) {
  return family === undefined ? undefined : findKnownFunction(slice(data.toLowerCase() as Hex, 0, 4))?.known;
}
