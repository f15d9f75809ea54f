import { isUnlimited } from "../isUnlimited.ts";
import type { Rules } from "../rule.ts";

/** Anyone can spend the router's allowances through an approved contract that makes arbitrary calls. */
export const spenderRules = {
  ANY_CALLER_APPROVED: {
    severity: "error",
    meaning: "A contract that makes arbitrary calls for anyone is approved, so anyone can take the token through it.",
    hint: "Push the tokens to the executor, or approve its puller or a typed proxy.",
    find: ({ operations, isAnyCaller }) =>
      operations.flatMap((operation) =>
        operation.kind === "approve" && operation.amount !== 0n && isAnyCaller(operation.spender)
          ? [{ index: operation.index, reason: `${operation.spender} makes any call, and may take ${operation.token}` }]
          : [],
      ),
  },
  UNLIMITED_APPROVAL: {
    severity: "warning",
    meaning: "An unknown contract has an unlimited approval.",
    hint: "Approve the amount that it takes, or list it as a proxy or trusted contract if it is one.",
    find: ({ operations, isTrusted, isAnyCaller }) =>
      operations.flatMap((operation) =>
        operation.kind === "approve" &&
        isUnlimited(operation.amount) &&
        !isTrusted(operation.spender) &&
        !isAnyCaller(operation.spender)
          ? [{ index: operation.index, reason: `${operation.spender} may take any amount of ${operation.token}` }]
          : [],
      ),
  },
  FOREIGN_ALLOWANCE: {
    severity: "error",
    meaning:
      "A call uses an allowance that an account gave to the router. Anyone can take the tokens of such an account.",
    hint: "Have the tokens delivered instead, and never approve the router.",
    find: ({ operations, isRouter }) =>
      operations.flatMap((operation) => {
        if (operation.kind !== "call" || operation.call.kind !== "function") return [];
        const { name, args, family } = operation.call;
        const giver = args.find((argument) => argument.name === (name === "permit" ? "owner" : "from"))?.value;
        const isGiven = (name === "transferFrom" || name === "permit") && family === "ERC-20";
        const spender = args.find((argument) => argument.name === "spender")?.value;
        const isOurs = name === "transferFrom" || (typeof spender === "string" && isRouter(spender));
        return isGiven && isOurs && typeof giver === "string" && !isRouter(giver)
          ? [{ index: operation.index, reason: `${giver} lets the router take ${operation.call.to}` }]
          : [];
      }),
  },
} as const satisfies Rules;
