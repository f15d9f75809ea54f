import { isSameAddress } from "@crosscall/protocol/chains";
import { readAmount } from "../../decode/readArgument.ts";
import { isUnlimited } from "../operation.ts";
import type { Rules, Violation } from "../rule.ts";

/** Rules for approved contracts that make arbitrary calls, through which anyone can spend the router's allowances. */
export const spenderRules = {
  ANY_CALLER_APPROVED: {
    severity: "error",
    meaning: "A contract that makes arbitrary calls for anyone is approved, so anyone can take the token through it.",
    hint: "Push the tokens to the executor, or approve its puller or a typed proxy.",
    find: ({ operations, isAnyCaller }) =>
      operations.flatMap((operation) =>
        operation.kind === "approve" && operation.amount !== 0n && isAnyCaller(operation.spender)
          ? [
              {
                index: operation.index,
                reason: `${operation.spender} makes arbitrary calls, and can take ${operation.token}`,
              },
            ]
          : [],
      ),
  },
  UNLIMITED_APPROVAL: {
    severity: "warning",
    meaning: "An unknown contract has an unlimited approval.",
    hint: "Approve only the amount that the contract takes, or list it as a proxy or trusted contract.",
    find: ({ operations, isTrusted, isAnyCaller }) =>
      operations.flatMap((operation) =>
        operation.kind === "approve" &&
        isUnlimited(operation.amount) &&
        !isTrusted(operation.spender) &&
        !isAnyCaller(operation.spender)
          ? [{ index: operation.index, reason: `${operation.spender} can take any amount of ${operation.token}` }]
          : [],
      ),
  },
  FOREIGN_ALLOWANCE: {
    severity: "error",
    meaning: "A call uses an account's allowance for the router. Anyone can take the tokens of such an account.",
    hint: "Use delivered tokens instead, and never approve the router.",
    find: ({ operations, isRouter }) =>
      operations.flatMap((operation) => {
        if (operation.kind !== "call" || operation.call.kind !== "function") return [];
        const { name, args, family } = operation.call;
        const giver = args.find((argument) => argument.name === (name === "permit" ? "owner" : "from"))?.value;
        const isGiven = (name === "transferFrom" || name === "permit") && family === "ERC-20";
        const spender = args.find((argument) => argument.name === "spender")?.value;
        const isOurs = name === "transferFrom" || (typeof spender === "string" && isRouter(spender));
        return isGiven && isOurs && typeof giver === "string" && !isRouter(giver)
          ? [{ index: operation.index, reason: `${giver} allows the router to take ${operation.call.to}` }]
          : [];
      }),
  },
} as const satisfies Rules;

export const targetRules = {
  TARGET_WITHOUT_CODE: {
    severity: "error",
    meaning: "A call with data goes to an account without code, so it succeeds and does nothing.",
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
    hint: "Use a deadline that leaves enough time for the deposit and the fill.",
    find: ({ operations, facts: { timestamp } }) => {
      if (timestamp === undefined) return [];
      return operations.flatMap((operation): Violation[] => {
        if (operation.kind !== "call" || operation.call.kind !== "function") return [];
        const { args, program } = operation.call;
        const deadline =
          program?.deadline ?? readAmount(args, "deadline") ?? readAmount(args, "params.deadline") ?? timestamp;
        if (deadline >= timestamp) return [];
        return [{ index: operation.index, reason: `its deadline is ${deadline}, but the block time is ${timestamp}` }];
      });
    },
  },
} as const satisfies Rules;
