import { isSameAddress } from "@crosscall/protocol/chains";
import type { DecodedFunctionCall } from "../../decode/decodedCall.ts";
import { expandPath, readAccount, readAmount } from "../../decode/readArgument.ts";
import { isUnlimited } from "../operation.ts";
import { distinct, type Rules, type Violation } from "../rule.ts";
import { callsIn, nameOf } from "./callsIn.ts";

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
    find: ({ calls, isRouter, contracts: { pushExecutor } }) =>
      calls.flatMap((outer, index) =>
        callsIn(outer).flatMap(({ call, caller, by }): Violation[] => {
          if (call.kind !== "function") return [];
          const isOther = (account: string): boolean =>
            !isRouter(account) && !(by !== undefined && isSameAddress(account, by));
          const isPublic = (account: string): boolean =>
            isRouter(account) || (pushExecutor !== undefined && isSameAddress(account, pushExecutor));
          return [
            ...accountsIn(call, USES)
              .filter(isOther)
              .map((giver) => `${nameOf(call)} works only if ${giver} allows ${caller} to act for it`),
            ...accountsIn(call, GRANTED)
              .filter(isPublic)
              .flatMap((account) =>
                accountsIn(call, GRANTERS)
                  .filter(isOther)
                  .map((giver) => `${nameOf(call)} allows ${account} to act for ${giver}`),
              ),
          ].map((reason) => ({ index, reason }));
        }),
      ),
  },
} as const satisfies Rules;

type Paths = Readonly<Record<string, readonly string[]>>;

/** Paths of the accounts whose tokens or positions a function uses, which must allow its caller to do so. */
const USES: Paths = {
  "ERC-20 transferFrom": ["from"],
  "Permit2 transferFrom": ["from", "transfers.*.from"],
  // Only the caller can use these signatures, so anyone can use them through the router.
  "Permit2 permitTransferFrom": ["owner"],
  "Permit2 permitWitnessTransferFrom": ["owner"],
  // Balancer's Vault takes tokens from others only if they approve its caller.
  "Balancer v2 swap": ["funds.sender"],
  "Balancer v2 batchSwap": ["funds.sender"],
  "ERC-4626 withdraw": ["owner"],
  "ERC-4626 redeem": ["owner"],
  "ERC-4626 requestDeposit": ["owner"],
  "ERC-4626 requestRedeem": ["owner"],
  "Aave v3 borrow": ["onBehalfOf"],
  "Compound v3 supplyFrom": ["from"],
  "Compound v3 withdrawFrom": ["src"],
  "Morpho borrow": ["onBehalf"],
  "Morpho withdraw": ["onBehalf"],
  "Morpho withdrawCollateral": ["onBehalf"],
  "NFT safeTransferFrom": ["from"],
  "NFT safeBatchTransferFrom": ["from"],
};

const payee = ["to"];
const payer = ["from"];

/** Paths of the accounts to which a signature gives a right, or tokens, of its signer. */
const GRANTED: Paths = {
  "ERC-20 permit": ["spender"],
  "ERC-20 transferWithAuthorization": payee,
  "ERC-20 receiveWithAuthorization": payee,
  "Permit2 permit": ["permitSingle.spender", "permitBatch.spender"],
  "signatures allowBySig": ["manager"],
  "signatures setAuthorizationWithSig": ["authorization.authorized"],
  "signatures delegationWithSig": ["delegatee"],
};

/** Paths of the signers. */
const GRANTERS: Paths = {
  "ERC-20 permit": ["owner", "holder"],
  "ERC-20 transferWithAuthorization": payer,
  "ERC-20 receiveWithAuthorization": payer,
  "Permit2 permit": ["owner"],
  "signatures allowBySig": ["owner"],
  "signatures setAuthorizationWithSig": ["authorization.authorizer"],
  "signatures delegationWithSig": ["delegator"],
};

function accountsIn({ name, args, family }: DecodedFunctionCall, list: Paths): string[] {
  const paths = list[`${family} ${name}`] ?? [];
  return paths.flatMap((path) =>
    expandPath(args, path).flatMap((index) => readAccount(args, path.replace("*", index)) ?? []),
  );
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
    find: ({ calls, facts: { timestamp } }) => {
      if (timestamp === undefined) return [];
      return calls.flatMap((outer, index) =>
        callsIn(outer).flatMap(({ call }): Violation[] => {
          if (call.kind !== "function") return [];
          const { args, program } = call;
          const deadline =
            program?.deadline ?? readAmount(args, "deadline") ?? readAmount(args, "params.deadline") ?? timestamp;
          if (deadline >= timestamp) return [];
          return [
            { index, reason: `the deadline of ${nameOf(call)} is ${deadline}, but the block time is ${timestamp}` },
          ];
        }),
      );
    },
  },
} as const satisfies Rules;
