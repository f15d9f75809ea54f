import { InvalidInputError } from "../../core/errors.ts";
import type { Call } from "../../protocol/common/call.ts";
import { findPublicCredits, type PublicAccounts, type PublicCredit } from "../check/findPublicCredits.ts";
import type { FindingCode } from "../check/rules.ts";
import { decodeCalls } from "../decode/decodeCalls.ts";

export interface PublicCreditsParameters {
  readonly accounts: PublicAccounts;
  readonly accepts: readonly FindingCode[];
  /** The caller's field that names the account. */
  readonly fieldOf: (credit: PublicCredit) => string;
}

/** Rejects calls and steps that credit or indebt an account through which anyone acts. */
export function requireNoPublicCredits(
  calls: readonly Call[],
  { accounts, accepts, fieldOf }: PublicCreditsParameters,
): void {
  const refused = findPublicCredits(decodeCalls(calls), accounts).find(
    ({ step }) => !accepts.includes(step === undefined ? "PUBLIC_ACCOUNT_CREDITED" : "STEP_CREDITS_PUBLIC_ACCOUNT"),
  );
  if (refused === undefined) return;
  const { account, who, call, argument } = refused;
  const does = argument === undefined ? "credits its caller" : `has it as ${argument}`;
  throw new InvalidInputError({
    field: fieldOf(refused),
    value: account,
    reason: `${call.signature} ${does}, and it is ${who}, through which anyone acts`,
    hint: "Name the user's own account, or the form of the function that takes one.",
  });
}
