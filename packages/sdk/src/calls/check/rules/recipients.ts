import { zeroAddress } from "viem";

import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import { compact } from "@crosscall/protocol/core";
import { namePublicContract } from "@crosscall/protocol/generations";
import type { DecodedFunctionCall } from "../../decode/decodedCall.ts";
import { knownOf } from "../../decode/knownFunctions.ts";
import { readAccount } from "../../decode/readArgument.ts";
import { resolveRecipient } from "../../decode/swapRouters.ts";
import { findPublicCredits, namePublicAccount, type PublicCredit } from "../findPublicCredits.ts";
import { nameToken } from "../operation.ts";
import type { CheckContext, Rules, Violation } from "../rule.ts";
import { callsIn } from "./callsIn.ts";
import { cleanupRules } from "./cleanups.ts";

/** Anyone can use the protocol positions of the router, the executor and its puller. */
export const publicAccountRules = {
  PUBLIC_ACCOUNT_CREDITED: {
    severity: "error",
    meaning:
      "A call credits the executor or its puller, or changes a position that they or the router own, which anyone can take.",
    hint: "Pass the user.",
    find: (context) => [
      ...recipientOf(context),
      ...sweepsToPuller(context),
      ...findPublicCredits(context.calls, context.contracts)
        .filter(({ step }) => step === undefined)
        .filter((credit) => !isReported(credit, context))
        .map(({ index, ...credit }) => ({ index, reason: reasonOf(credit) })),
    ],
  },
  STEP_CREDITS_PUBLIC_ACCOUNT: {
    severity: "error",
    meaning:
      "A program's step credits the router, the executor or its puller, but the program does not forward the funds, so anyone can take them.",
    hint: "Pass the user, or declare the token that the executor receives.",
    find: (context) => [
      ...recipientsOfPrograms(context),
      ...findPublicCredits(context.calls, context.contracts).flatMap(({ index, step, ...credit }) =>
        step === undefined ? [] : [{ index, reason: `step ${step + 1}: ${reasonOf(credit)}` }],
      ),
    ],
  },
} as const satisfies Rules;

function reasonOf({
  call,
  argument,
  account,
  who,
}: Pick<PublicCredit, "call" | "argument" | "account" | "who">): string {
  const what = argument === undefined ? `credits its caller ${account}` : `names ${account} as ${argument}`;
  return `${call.signature} ${what}, which is ${who}`;
}

/** Whether another rule already reports the credit, as for the router as recipient. */
function isReported({ index, call, account }: PublicCredit, context: CheckContext): boolean {
  if (!context.isRouter(account)) {
    return recipientRules.RECIPIENT_IS_ROUTER.find(context).some((other) => other.index === index);
  }
  return (
    call.family === "destination proxy" ||
    cleanupRules.CREDITS_ROUTER.find(context).some((other) => other.index === index)
  );
}

function recipientOf({ request: { recipient }, contracts, isRouter }: CheckContext): Violation[] {
  if (recipient === undefined || isRouter(recipient) || isPublicContract(recipient)) return [];
  const who = namePublicAccount(recipient, contracts);
  return who === undefined ? [] : [{ reason: `the request's recipient ${recipient} is ${who}` }];
}

function isPublicContract(account: string): boolean {
  return namePublicContract(account) !== undefined;
}

/** Finds sweeps to the puller, which has no function that releases its balance. */
function sweepsToPuller({ operations, contracts: { livePuller } }: CheckContext): Violation[] {
  if (livePuller === undefined) return [];
  return operations.flatMap((operation) =>
    operation.kind === "send" && operation.isSweep && isSameAddress(operation.to, livePuller)
      ? [
          {
            index: operation.index,
            reason: `${nameToken(operation.token)} goes to the executor's puller and stays there`,
          },
        ]
      : [],
  );
}

/**
 * Checks the recipients of programs, because the executor rejects only itself, its puller and its caller.
 * RECIPIENT_IS_ROUTER covers routers as recipients.
 */
function recipientsOfPrograms({ operations, contracts, isRouter }: CheckContext): Violation[] {
  return operations.flatMap((operation) => {
    if (operation.kind !== "call" || operation.call.kind !== "function") return [];
    const { index, call } = operation;
    if (call.program === undefined) return [];
    const { recipient, policy } = call.program;
    return [
      ...(isRouter(recipient) || isPublicContract(recipient) ? [] : [["recipient", recipient] as const]),
      ...(policy.kind === "fallBack" ? [["fallback recipient", policy.recipient] as const] : []),
    ].flatMap(([role, account]) => {
      const who = namePublicAccount(account, contracts);
      return who === undefined ? [] : [{ index, reason: `the program's ${role} ${account} is ${who}` }];
    });
  });
}

/** Account that receives and keeps funds. */
interface Receipt {
  readonly index: number | undefined;
  readonly account: string;
  readonly what: string;
  /** The called contract, if it can only keep what it gives to itself. */
  readonly target?: string;
  /** Whether a later call uses what the account receives. */
  readonly isUsed?: boolean;
}

export const recipientRules = {
  RECIPIENT_IS_ROUTER: {
    severity: "error",
    meaning: "The recipient is a router or approval proxy of the service, where funds are lost.",
    hint: "Pass the user.",
    find: (context) => [
      ...whereRecipient(context, context.isRouter, "is the router"),
      ...whereRecipient(
        context,
        (account) => !context.isRouter(account) && isPublicContract(account),
        "is a router or approval proxy of the service",
      ),
    ],
  },
  RECIPIENT_IS_TOKEN: {
    severity: "error",
    meaning: "The recipient is a token or the called contract, where the funds are stuck.",
    hint: "Pass the user.",
    find: (context) => [
      ...whereRecipient(
        context,
        (account, { isUsed }) => context.isToken(account) && isUsed !== true,
        "is a token",
        receiptsOfSteps,
      ),
      ...whereRecipient(
        context,
        (account, { target }) => target !== undefined && isSameAddress(account, target) && !context.isToken(account),
        "is the called contract",
        receiptsOfSteps,
      ),
    ],
  },
  RECIPIENT_IS_ZERO: {
    severity: "error",
    meaning:
      "The recipient is the zero address or a placeholder that the function does not replace, so the funds are lost.",
    hint: "Pass the user.",
    find: (context) => [
      ...whereRecipient(context, (account) => isEvmNative(account), "is the zero address", receiptsOfSteps),
      ...whereRecipient(
        context,
        isPlaceholder,
        "is a precompiled contract; this function does not replace it",
        receiptsOfSteps,
      ),
    ],
  },
  RECIPIENT_WITHOUT_CODE: {
    severity: "warning",
    meaning:
      "The recipient is a contract on the origin chain, such as a multisig, but has no code on the destination chain.",
    hint: "Pass an account that exists on the destination chain, or deploy the contract there first.",
    find(context) {
      const { missingAccounts = [] } = context.facts;
      const { user, recipient = user } = context.request;
      const request = { ...context.request, recipient };
      const isMissing = (account: string): boolean => missingAccounts.some((one) => isSameAddress(one, account));
      return whereRecipient({ ...context, request }, isMissing, "has code only on the origin chain");
    },
  },
} as const satisfies Rules;

/** Whether an account is one of the placeholders 1 and 2, which only some routers replace. */
function isPlaceholder(account: string): boolean {
  return /^0x0{39}[12]$/u.test(account);
}

function whereRecipient(
  context: CheckContext,
  test: (account: string, receipt: Receipt) => boolean,
  words: string,
  others: (context: CheckContext) => readonly Receipt[] = () => [],
): Violation[] {
  return [...receiptsOf(context), ...others(context)].flatMap((receipt) => {
    const { index, account, what } = receipt;
    return test(account, receipt) ? [compact({ reason: `${account}, the recipient of ${what}, ${words}`, index })] : [];
  });
}

function receiptsOf({ request, operations, contracts }: CheckContext): Receipt[] {
  const executors = [contracts.pushExecutor, ...(contracts.proxies ?? []).map(({ address }) => address)];
  const isStop = (account: string): boolean =>
    executors.some((executor) => executor !== undefined && isSameAddress(executor, account));
  return [
    ...(request.recipient === undefined
      ? []
      : [{ index: undefined, account: request.recipient, what: "what the request delivers" }]),
    ...operations.flatMap((operation, position): Receipt[] => {
      const { index } = operation;
      // For example, a swap router that takes the tokens that it holds. Tokens that a token holds itself are stuck.
      const isUsed = (token: string, account: string): boolean =>
        !isSameAddress(account, token) &&
        operations.slice(position + 1).some((later) => later.kind === "call" && isSameAddress(later.call.to, account));
      if (operation.kind === "send" && operation.isSweep && !isStop(operation.to)) {
        // Funds sent with a call are the call's input.
        const next = operations[position + 1];
        const isInput = next?.kind === "call" && next.index === index && next.call.kind !== "empty";
        // Wrapped native currency and wstETH mint for native currency.
        const isMint =
          isEvmNative(operation.token) &&
          operations
            .slice(position + 1)
            .some((later) => "token" in later && isSameAddress(later.token ?? "", operation.to));
        const what = nameToken(operation.token);
        return isInput || isMint
          ? []
          : [{ index, account: operation.to, what, isUsed: isUsed(operation.token, operation.to) }];
      }
      if (operation.kind !== "call" || operation.call.kind !== "function") return [];
      const { call } = operation;
      if (call.program !== undefined) {
        return [{ index, account: call.program.recipient, what: "what the program leaves" }];
      }
      const isOwn = (account: string): boolean =>
        isSameAddress(account, contracts.router) && !PROXIES.has(call.family ?? "");
      return receiptOf(call, index, isOwn).map((receipt) => ({
        ...receipt,
        isUsed: call.family === "ERC-20" && isUsed(call.to, receipt.account),
      }));
    }),
  ];
}

/** Lists the recipients of the steps of programs. Other rules cover the router and the executor. */
function receiptsOfSteps({ calls }: CheckContext): Receipt[] {
  return calls.flatMap((outer, index) =>
    callsIn(outer).flatMap(({ call, by }) =>
      by === undefined || call.kind !== "function" ? [] : receiptOf(call, index, () => false),
    ),
  );
}

/** @param isOwn whether a later call can sweep what an account receives */
function receiptOf(call: DecodedFunctionCall, index: number, isOwn: (account: string) => boolean): Receipt[] {
  const named = NAMES.map((name) => readAccount(call.args, name)).find((account) => account !== undefined);
  if (named === undefined || isOwn(named) || call.family?.startsWith("router") === true) return [];
  // CREDITS_ROUTER covers the router's gains, which can be swept, and LEFT_IN_SWAP_ROUTER those of swap routers.
  const isReplaced = resolveRecipient(named, call.to, knownOf(call)?.router) !== "other";
  if (isReplaced && knownOf(call)?.router !== undefined) return [];
  // Without a token to buy, 0x's Settler pays no recipient.
  if (call.family === "0x Settler" && readAccount(call.args, "slippage.buyToken") === zeroAddress) return [];
  // A Uniswap v2 pool burns its own tokens that it holds.
  const target = call.family === "ERC-20" ? {} : { target: call.to };
  return [{ index, account: named, what: `what ${call.signature} gives`, ...target }];
}

/** Proxies reject their caller as recipient, so there is nothing to sweep afterwards. */
const PROXIES: ReadonlySet<string> = new Set(["destination proxy"]);

const NAMES = [
  "recipient",
  "params.recipient",
  "receiver",
  "onBehalfOf",
  "onBehalf",
  "borrower",
  "dst",
  "to",
  "packed:to",
  "desc.dstReceiver",
  "slippage.recipient",
  "funds.recipient",
] as const;
