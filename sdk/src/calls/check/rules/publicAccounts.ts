import { isSameAddress } from "../../../chains/address.ts";
import { findPublicCredits, namePublicAccount, type PublicCredit } from "../findPublicCredits.ts";
import { nameToken } from "../nameToken.ts";
import type { CheckContext, Rules, Violation } from "../rule.ts";
import { cleanupRules } from "./cleanups.ts";

/** Anyone uses what the router, the executor or its puller has with a protocol. */
export const publicAccountRules = {
  PUBLIC_ACCOUNT_CREDITED: {
    severity: "error",
    meaning:
      "A call credits the executor or its puller, or opens or changes a position of these or of the router, where anyone can take it.",
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
      "A step of a program credits the router, the executor or its puller, and the program does not send that on, so anyone can take it.",
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

/** Other rules report the router as a recipient. */
function isReported({ index, call, account }: PublicCredit, context: CheckContext): boolean {
  if (!context.isRouter(account)) return false;
  return (
    call.family === "destination proxy" ||
    cleanupRules.CREDITS_ROUTER.find(context).some((other) => other.index === index)
  );
}

function recipientOf({ request: { recipient }, contracts, isRouter }: CheckContext): Violation[] {
  if (recipient === undefined || isRouter(recipient)) return [];
  const who = namePublicAccount(recipient, contracts);
  return who === undefined ? [] : [{ reason: `${recipient}, the recipient of the request, is ${who}` }];
}

/** The puller has no function that releases what it holds. */
function sweepsToPuller({ operations, contracts: { livePuller } }: CheckContext): Violation[] {
  if (livePuller === undefined) return [];
  return operations.flatMap((operation) =>
    operation.kind === "send" && operation.isSweep && isSameAddress(operation.to, livePuller)
      ? [
          {
            index: operation.index,
            reason: `${nameToken(operation.token)} goes to the executor's puller, and stays there`,
          },
        ]
      : [],
  );
}

/** The executor rejects them. RECIPIENT_IS_ROUTER covers the router as the program's recipient. */
function recipientsOfPrograms({ operations, contracts, isRouter }: CheckContext): Violation[] {
  return operations.flatMap((operation) => {
    if (operation.kind !== "call" || operation.call.kind !== "function") return [];
    const { index, call } = operation;
    if (call.program === undefined) return [];
    const { recipient, policy } = call.program;
    return [
      ...(isRouter(recipient) ? [] : [["recipient", recipient] as const]),
      ...(policy.kind === "fallBack" ? [["fallback recipient", policy.recipient] as const] : []),
    ].flatMap(([role, account]) => {
      const who = namePublicAccount(account, contracts);
      return who === undefined ? [] : [{ index, reason: `the program's ${role} ${account} is ${who}` }];
    });
  });
}
