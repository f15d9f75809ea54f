import { isSameAddress } from "@crosscall/protocol/chains";
import type { DecodedFunctionCall } from "../../decode/decodedCall.ts";
import { expandPath, readAccount, readAmount } from "../../decode/readArgument.ts";
import { isUnlimited } from "../operation.ts";
import { distinct, type Rules, type Violation } from "../rule.ts";

/** Rules for approved contracts that make arbitrary calls, through which anyone can spend the router's allowances. */
export const spenderRules = {
  ANY_CALLER_APPROVED: {
    severity: "error",
    meaning: "A contract that makes arbitrary calls for anyone is approved, so anyone can take the token through it.",
    hint: "Push the tokens to the executor, or approve its puller or a typed proxy.",
    find: ({ operations, isAnyCaller, isRouter }) =>
      operations.flatMap((operation) =>
        (operation.kind === "approve" || (operation.kind === "permit2Approve" && !isRouter(operation.spender))) &&
        operation.amount !== 0n &&
        isAnyCaller(operation.spender)
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
        const { index, call } = operation;
        return giversOf(call, isRouter)
          .filter((giver) => !isRouter(giver))
          .map((giver) => ({ index, reason: `${giver} allows the router to take ${call.to}` }));
      }),
  },
} as const satisfies Rules;

/** Lists accounts whose tokens the router takes, or that allow the router to take their tokens. */
function giversOf({ name, args, family }: DecodedFunctionCall, isRouter: (account: string) => boolean): string[] {
  if (family !== "ERC-20" && family !== "Permit2" && family !== "Balancer v2") return [];
  const read = (...paths: readonly string[]): string[] => paths.flatMap((path) => readAccount(args, path) ?? []);
  switch (name) {
    case "transferFrom":
      return [...read("from"), ...expandPath(args, "transfers.*").flatMap((index) => read(`transfers.${index}.from`))];
    case "permit":
      return read("spender", "permitSingle.spender", "permitBatch.spender").some(isRouter)
        ? read("owner", "holder")
        : [];
    // Balancer's Vault takes tokens from others only if they approve its caller.
    case "swap":
    case "batchSwap":
      return read("funds.sender");
    // Only the router can use these signatures, so anyone can use them through the router.
    case "permitTransferFrom":
    case "permitWitnessTransferFrom":
      return read("owner");
    case "transferWithAuthorization":
    case "receiveWithAuthorization":
      return read("to").some(isRouter) ? read("from") : [];
    default:
      return [];
  }
}

export const targetRules = {
  TARGET_WITHOUT_CODE: {
    severity: "error",
    meaning: "A call with data goes to an account without code, so it succeeds and does nothing.",
    hint: "Use the contract's address on the destination chain.",
    find: ({ operations, facts }) =>
      distinct(
        operations.flatMap((operation) =>
          operation.kind === "call" &&
          operation.call.kind !== "empty" &&
          facts.accounts?.some(
            ({ address, hasCode }) => hasCode === false && isSameAddress(address, operation.call.to),
          ) === true
            ? [{ index: operation.index, reason: `${operation.call.to} has no code` }]
            : [],
        ),
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
