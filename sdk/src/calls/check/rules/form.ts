import type { DecodedCall } from "../../decode/decodedCall.ts";
import { findFormProblems } from "../findFormProblems.ts";
import type { CheckContext, Rules, Violation } from "../rule.ts";

/** How the calls are written. */
export const formRules = {
  MALFORMED_CALL: {
    severity: "error",
    meaning: "The address, the data or the value of a call is none.",
    hint: "Write the address as 20 bytes of hex, the data as hex of whole bytes, the value as a decimal string of wei.",
    find: ({ txs }) =>
      txs.flatMap((call, index) =>
        findFormProblems(call).map(({ field, value, reason, hint }) => ({
          index,
          reason: `${field} is ${value === undefined ? "missing" : JSON.stringify(value)}: ${reason}`,
          hint,
        })),
      ),
  },
  DATA_TOO_SHORT: {
    severity: "error",
    meaning: "The data has the selector of a known function and not its arguments.",
    hint: "Encode the call anew, with all arguments.",
    find: (context) =>
      everyCall(context, (call) =>
        call.kind === "unknown" && call.expected !== undefined
          ? `the ${(call.data.length - 2) / 2} bytes of data do not hold the arguments of ${call.expected}`
          : undefined,
      ),
  },
  DATA_BESIDE_ARGUMENTS: {
    severity: "note",
    meaning: "The data holds bytes that no argument of its function explains.",
    hint: "Leave them out, unless they are a tag that somebody looks for.",
    find: (context) =>
      everyCall(context, (call) =>
        call.kind === "function" && call.tail !== "0x"
          ? `the data of ${call.signature} ${call.tail === undefined ? "is no plain encoding of its arguments" : `goes on with ${call.tail}`}`
          : undefined,
      ),
  },
  DUPLICATE_CALL: {
    severity: "warning",
    meaning: "A call stands there twice.",
    hint: "Leave one out, unless it is meant to happen twice.",
    find: ({ calls }) => {
      const seen = new Map<string, number>();
      return calls.flatMap((call, index): Violation[] => {
        // An approval may be wanted again once it is used up or taken back.
        if (call.kind === "function" && call.name === "approve") return [];
        const key = `${call.to} ${call.data} ${call.value}`.toLowerCase();
        const first = seen.get(key);
        if (first === undefined) seen.set(key, index);
        return first === undefined ? [] : [{ index, reason: `it is the same as txs[${first}]` }];
      });
    },
  },
} as const satisfies Rules;

/** A violation for each call, at any depth, of which the test says something. */
function everyCall({ calls }: CheckContext, test: (call: DecodedCall) => string | undefined): Violation[] {
  const inside = (call: DecodedCall): DecodedCall[] => [
    call,
    ...(call.kind === "function" ? call.calls.flatMap(inside) : []),
  ];
  return calls.flatMap((call, index) =>
    inside(call).flatMap((each) => {
      const reason = test(each);
      return reason === undefined ? [] : [{ index, reason }];
    }),
  );
}
