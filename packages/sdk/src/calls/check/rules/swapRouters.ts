import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import type { DecodedCall } from "../../decode/decodedCall.ts";
import type { KnownFunction } from "../../decode/knownFunction.ts";
import { knownOf } from "../../decode/knownFunctions.ts";
import { readAccount, readArgument } from "../../decode/readArgument.ts";
import type { FollowedTake } from "../followAllowances.ts";
import { nameToken } from "../operation.ts";
import type { CheckContext, Rules, Violation } from "../rule.ts";
import { callsIn, nameOf } from "./callsIn.ts";
import { cleanupRules } from "./cleanups.ts";

/** Earliest possible time of a fill in Unix seconds, used if the block time is unknown: the date of these rules. */
const EARLIEST_FILL = 1_795_824_000n;

/** Rules about public swap routers, and about Permit2, through which some of them take tokens. */
export const swapRouterRules = {
  PERMIT2_APPROVAL_MISSING: {
    severity: "error",
    meaning:
      "A contract takes a token through Permit2, but Permit2 has no allowance for the token, or the contract has none in Permit2.",
    hint: "Approve Permit2 for the token, and the contract with Permit2's approve.",
    find: (context) =>
      throughPermit2(context).flatMap((take) => {
        const { operation, through, token, allowance, permit2 } = take;
        const { index, spender, amount } = operation;
        if (amount === 0n) return [];
        const missing = [
          // APPROVAL_AFTER_USE covers a later approval of Permit2.
          ...(allowance === 0n && findApproval(context, token, spender, index) === undefined
            ? ["Permit2 has no allowance for the token"]
            : []),
          ...((permit2?.amount ?? 0n) === 0n ? ["it has no allowance in Permit2"] : []),
        ];
        if (missing.length === 0) return [];
        const direct = findApproval(context, token, through);
        // A function with an unknown amount can take nothing.
        if (amount === undefined && direct === undefined) return [];
        const what = `${typeof amount === "bigint" ? `${amount} of ` : ""}${token ?? "a token"}`;
        const unused = direct === undefined ? "" : `; its direct approval in txs[${direct}] is never used`;
        return [{ index, reason: `${through} takes ${what} through Permit2, but ${missing.join(" and ")}${unused}` }];
      }),
  },
  PERMIT2_APPROVAL_TOO_SMALL: {
    severity: "error",
    meaning: "A contract takes more of a token through Permit2 than its allowance there.",
    hint: "Pass the amount that the contract takes to Permit2's approve.",
    find: (context) =>
      throughPermit2(context).flatMap(({ operation: { index, amount }, through, token = "a token", permit2 }) => {
        const allowed = permit2?.amount ?? 0n;
        if (allowed === 0n || typeof amount !== "bigint" || allowed >= amount) return [];
        return [
          { index, reason: `${through} takes ${amount} of ${token}, but its allowance in Permit2 is ${allowed}` },
        ];
      }),
  },
  PERMIT2_APPROVAL_EXPIRED: {
    severity: "error",
    meaning: "An allowance in Permit2 has expired.",
    hint: "Use an expiration that leaves enough time for the fill, or 0 for the block of the fill.",
    find: (context) =>
      throughPermit2(context).flatMap(({ operation, through, permit2 }) => {
        const { timestamp = EARLIEST_FILL } = context.facts;
        if (permit2 === undefined || permit2.amount === 0n) return [];
        const { expiration, index = operation.index } = permit2;
        // Permit2 replaces 0 with the block time, and all calls are in one block.
        const isOfBlock = expiration === 0n && permit2.index !== undefined;
        if (isOfBlock || expiration >= timestamp) return [];
        const reason = `the allowance of ${through} in Permit2 ends at ${expiration}, but the fill is not before ${timestamp}`;
        return [{ index, reason }];
      }),
  },
  LEFT_IN_SWAP_ROUTER: {
    severity: "error",
    meaning: "Funds can stay in a public swap router, where anyone can take them.",
    hint: "Pass the user as the recipient, or sweep the router's balance to the user in the same call.",
    find: ({ swapRouters }) =>
      swapRouters.kept.map(({ index, router, token, signature = "the transfer" }) => {
        const what = token === undefined ? "its output" : nameToken(token);
        return {
          index,
          reason: `${signature} leaves ${what} in the swap router ${router}, and no call that must succeed takes all of it out`,
        };
      }),
  },
  SWAP_ROUTER_EMPTY: {
    severity: "error",
    meaning: "A swap router uses its own balance of a token, but no call sends it the token.",
    hint: "Transfer the token to the router before the call, or let the router take it from its caller.",
    find: ({ swapRouters }) =>
      swapRouters.empty.map(({ index, router, token, signature }) => {
        const what = token === undefined ? "a token" : nameToken(token);
        return { index, reason: `${signature} uses ${what} of ${router}, which holds none` };
      }),
  },
} as const satisfies Rules;

/** Finds the call that approves an account, if any, after another call. */
function findApproval(
  { operations }: CheckContext,
  token: string | undefined,
  spender: string,
  after = -1,
): number | undefined {
  return operations.find(
    (operation) =>
      operation.kind === "approve" &&
      operation.index > after &&
      operation.amount !== 0n &&
      isSameAddress(operation.spender, spender) &&
      (token === undefined || isSameAddress(operation.token, token)),
  )?.index;
}

function throughPermit2({ allowances }: CheckContext): (FollowedTake & { readonly through: string })[] {
  return allowances.takes.flatMap((take) => {
    const { through } = take.operation;
    return through === undefined ? [] : [{ ...take, through }];
  });
}

/** Rules about calls that others can make first, that the router cannot make, or that credit their caller. */
export const callerRules = {
  SIGNATURE_FRONT_RUNNABLE: {
    severity: "warning",
    meaning: "A call uses a signature or a proof that anyone can submit first, so that the call and the fill fail.",
    hint: "Let the call fail, for example with allowFailure, or use an approval or a deposit that needs no signature.",
    find: ({ calls }) =>
      calls.flatMap((outer, index) =>
        callsIn(outer).flatMap(({ call, mayFail }): Violation[] => {
          const signed = signatureOf(call);
          if (signed === undefined || mayFail || signed.isBound === true || signed.isOptional === true) return [];
          return [{ index, reason: `anyone can submit the signature or proof of ${nameOf(call)} before the fill` }];
        }),
      ),
  },
  ROUTER_CANNOT_SIGN: {
    severity: "error",
    meaning: "A call needs a signature of the router, which is a contract that signs nothing.",
    hint: "Approve with a call of the router instead of a permit.",
    find: ({ operations, isRouter }) =>
      operations.flatMap((operation): Violation[] => {
        if (operation.kind !== "call") return [];
        const { index, call } = operation;
        const signed = signatureOf(call);
        if (call.kind !== "function" || signed === undefined || call.mayFail || signed.isOptional === true) return [];
        const signer = signed.by === "@caller" ? undefined : readAccount(call.args, signed.by);
        const isNeeded = signed.by === "@caller" || (signer !== undefined && isRouter(signer));
        return isNeeded ? [{ index, reason: `${nameOf(call)} needs the router's signature` }] : [];
      }),
  },
  CREDITS_CALLER: {
    severity: "note",
    meaning:
      "A function without a recipient credits its caller: the router or the executor, through which anyone can act.",
    hint: "Call a function with a recipient, or sweep what the caller receives to the user.",
    find: (context) => {
      const { calls, operations } = context;
      const deposits = operations.flatMap((operation): Violation[] => {
        const isDeposit = operation.kind === "gain" && operation.signature === "deposit()";
        if (!isDeposit || operation.token !== undefined) return [];
        const reason = "deposit() credits the router with a token, but no call uses its target as one";
        return [{ index: operation.index, reason }];
      });
      const credited = deposits.length === 0 ? [] : cleanupRules.CREDITS_ROUTER.find(context);
      const unnamed = deposits.filter(({ index }) => !credited.some((other) => other.index === index));
      const others = calls.flatMap((outer, index) =>
        callsIn(outer).flatMap(({ call, caller }): Violation[] => {
          if (namesNobody(call, index, context)) {
            const reason = `the data of ${call.to} names neither the user nor the recipient, so it can credit ${caller}`;
            return [{ index, reason }];
          }
          if (call.kind !== "function" || knownOf(call)?.known.creditsCaller !== true) return [];
          // The position can be the target's token.
          const isSwept = operations.some(
            (later) =>
              later.kind === "send" && later.isSweep && later.index > index && isSameAddress(later.token, call.to),
          );
          return isSwept
            ? []
            : [{ index, reason: `${call.signature} of ${call.to} has no recipient and credits ${caller}` }];
        }),
      );
      return [...unnamed, ...others];
    },
  },
} as const satisfies Rules;

/** Whether an unknown function is paid, its arguments contain no user, and no later call uses another token. */
function namesNobody(call: DecodedCall, index: number, { operations, request, isDelivered }: CheckContext): boolean {
  if (call.kind !== "unknown" || call.words.length === 0) return false;
  const { user, recipient = user } = request;
  const users = [user, recipient].filter((account) => !isEvmNative(account));
  const data = call.data.toLowerCase();
  if (users.length === 0 || users.some((account) => data.includes(account.slice(2).toLowerCase()))) return false;
  const isPaid = operations.some(
    (operation) =>
      operation.kind === "approve" &&
      operation.index <= index &&
      operation.amount !== 0n &&
      isSameAddress(operation.spender, call.to),
  );
  const isUsed = operations.some(
    (later) =>
      (later.kind === "approve" || (later.kind === "send" && later.isSweep)) &&
      later.index > index &&
      !isDelivered(later.token),
  );
  return (isPaid || call.value !== "0") && !isUsed;
}

/** A signature in the data of an unknown function: `v`, `r` and `s`, or 65 bytes that end with `v`. */
const SIGNATURE = /0x0{62}1[bc](?!,0x0{8}),\S{66},(?!0x0{8})|0x0{62}41(,\S{66}){2},0x1[bc]/u;

function signatureOf(call: DecodedCall): KnownFunction["signed"] {
  if (call.kind === "unknown") return SIGNATURE.test(call.words.join()) ? { by: "@unknown" } : undefined;
  if (call.kind !== "function" || call.family === undefined) return undefined;
  const signed = knownOf(call)?.known.signed;
  // For example, 0x's Settler needs no signature behind AllowanceHolder.
  return signed?.bytes !== undefined && readArgument(call.args, signed.bytes) === "0x" ? undefined : signed;
}
