import { type Hex, size } from "viem";

import { parseEvmAddress } from "@crosscall/protocol/chains";
import { parseAmount } from "@crosscall/protocol/encoding";
import { type Call, parseCallData } from "@crosscall/protocol/common";
import { parseProblems, type QuoteProblem } from "@crosscall/protocol/quote";
import type { DecodedCall, DecodedFunctionCall } from "../../decode/decodedCall.ts";
import type { CheckContext, Rules, Violation } from "../rule.ts";

export const formRules = {
  MALFORMED_CALL: {
    severity: "error",
    meaning: "A call has an invalid address, data or value.",
    hint: "Pass the address as 20 bytes of hex, the data as hex of whole bytes, and the value as a decimal string in wei.",
    find: (context) => [
      ...context.txs.flatMap((call, index) =>
        findFormProblems(call).map(({ field, value, reason, hint }) => ({
          index,
          reason: `${field} is ${value === undefined ? "missing" : JSON.stringify(value)}: ${reason}`,
          hint,
        })),
      ),
      ...everyCall(context, findRejectedValue).map((violation) => ({ ...violation, hint: 'Set the value to "0".' })),
      ...everyCall(context, findUnequalLists).map((violation) => ({
        ...violation,
        hint: "Pass lists of the same length.",
      })),
    ],
  },
  DATA_TOO_SHORT: {
    severity: "error",
    meaning: "The data has the selector of a known function, but not all of its arguments.",
    hint: "Encode the call again with all arguments.",
    find: (context) =>
      everyCall(context, (call) =>
        call.kind === "unknown" && call.expected !== undefined
          ? `the ${(call.data.length - 2) / 2} bytes of data do not contain the arguments of ${call.expected}`
          : undefined,
      ),
  },
  DATA_BESIDE_ARGUMENTS: {
    severity: "note",
    meaning: "The data contains extra bytes after the function's arguments.",
    hint: "Remove the extra bytes, unless they are a tag.",
    find: (context) =>
      everyCall(context, (call) =>
        call.kind === "function" && call.tail !== "0x"
          ? `the data of ${call.signature} ${call.tail === undefined ? "is not a canonical encoding of its arguments" : `continues with ${call.tail}`}`
          : undefined,
      ),
  },
  DUPLICATE_CALL: {
    severity: "warning",
    meaning: "A call appears twice.",
    hint: "Remove the second call, unless it must run twice.",
    find: ({ calls }) => {
      const seen = new Map<string, number>();
      return calls.flatMap((call, index): Violation[] => {
        // An approval can be repeated after it is used or reset, and a sweep of everything after each call.
        if (call.kind === "function" && (call.name === "approve" || sweepsAll(call))) return [];
        const key = `${call.to} ${call.data} ${call.value}`.toLowerCase();
        const first = seen.get(key);
        if (first === undefined) seen.set(key, index);
        return first === undefined ? [] : [{ index, reason: `it is the same as txs[${first}]` }];
      });
    },
  },
} as const satisfies Rules;

function sweepsAll({ family, name, args }: DecodedFunctionCall): boolean {
  if (family?.startsWith("router") !== true || !/^cleanup(?:Erc20s|Native)$/u.test(name)) return false;
  const amounts = args.flatMap((argument) => (/^amounts?$/u.test(argument.name) ? [argument.value].flat() : []));
  return amounts.every((amount) => amount === 0n);
}

/** Tokens and Permit2 accept no native currency with these functions. */
function findRejectedValue(call: DecodedCall): string | undefined {
  if (call.kind !== "function" || (call.family !== "ERC-20" && call.family !== "Permit2")) return undefined;
  if (!/^(?:0*[1-9]\d*|all)$/u.test(call.value)) return undefined;
  return `${call.name} of ${call.to} takes no native currency`;
}

/** Functions of the universal router with a list of inputs and a byte for each. */
const PACKED: ReadonlySet<string> = new Set(["execute", "executeSigned", "EXECUTE_SUB_PLAN", "V4_SWAP"]);

/** Finds lists of different lengths, which routers reject. */
function findUnequalLists(call: DecodedCall): string | undefined {
  if (call.kind !== "function") return undefined;
  const { family, name, args } = call;
  const isPacked = family === "universal router" && PACKED.has(name);
  if (!isPacked && family?.startsWith("router") !== true) return undefined;
  const lists = args.flatMap(({ name: list, value }) => {
    if (Array.isArray(value)) return [`${value.length} ${list}`];
    return isPacked && (list === "commands" || list === "actions") ? [`${size(value as Hex)} ${list}`] : [];
  });
  if (new Set(lists.map((list) => Number.parseInt(list, 10))).size < 2) return undefined;
  return `${name} has ${lists.join(", ")}`;
}

/** At any depth. */
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

/** Lists encoding problems of calls. */
export function findFormProblems({ to, data, value }: Call): QuoteProblem[] {
  return [
    ...parseProblems("INVALID_EXTRA_TXS", to, "to", parseEvmAddress),
    ...parseProblems("INVALID_EXTRA_TXS", data, "data", parseCallData),
    ...parseProblems("INVALID_EXTRA_TXS", value, "value", parseAmount),
  ];
}
