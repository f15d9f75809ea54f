import { isSameAddress } from "../../../chains/address.ts";
import { readAmount } from "../../decode/readArgument.ts";
import type { Rules, Violation } from "../rule.ts";

export const targetRules = {
  TARGET_WITHOUT_CODE: {
    severity: "error",
    meaning: "A call with data goes to an account without code, which succeeds and does nothing.",
    hint: "Use the contract's address on the destination chain.",
    find: ({ operations, facts }) =>
      operations.flatMap((operation) =>
        operation.kind === "call" &&
        operation.call.kind !== "empty" &&
        facts.accounts?.some(
          ({ address, hasCode }) => hasCode === false && isSameAddress(address, operation.call.to),
        ) === true
          ? [{ index: operation.index, reason: `${operation.call.to} has no code` }]
          : [],
      ),
  },
  DEADLINE_PASSED: {
    severity: "error",
    meaning: "The deadline of a call has passed.",
    hint: "Use a later deadline that leaves time for the deposit and the fill.",
    find: ({ operations, facts: { timestamp } }) => {
      if (timestamp === undefined) return [];
      return operations.flatMap((operation): Violation[] => {
        if (operation.kind !== "call" || operation.call.kind !== "function") return [];
        const { args, program } = operation.call;
        const deadline =
          program?.deadline ?? readAmount(args, "deadline") ?? readAmount(args, "params.deadline") ?? timestamp;
        if (deadline >= timestamp) return [];
        return [{ index: operation.index, reason: `its deadline is ${deadline}, and it is ${timestamp}` }];
      });
    },
  },
} as const satisfies Rules;
