import type { Address } from "viem";
import type { FailReason } from "@crosscall/protocol/request";

import type { CauseKind } from "./causes/catalog.ts";

/**
 * A condition of a call that was not met. `needed` and `had` are in the smallest unit, seconds, gas, bytes or pieces.
 */
export type FailedCondition = ConditionSubject & { readonly needed: bigint; readonly had: bigint };

/** `currency` is the zero address for native currency, and undefined if unknown. */
type ConditionSubject =
  | { readonly kind: "allowance"; readonly spender: Address; readonly currency: Address }
  | { readonly kind: "balance"; readonly account: Address; readonly currency: Address }
  | { readonly kind: "nftBalance"; readonly account: Address; readonly tokenId: bigint }
  | { readonly kind: "supply"; readonly tokenId: bigint | undefined }
  | { readonly kind: (typeof CURRENCY_CONDITIONS)[number]; readonly currency: Address | undefined }
  | { readonly kind: (typeof PLAIN_CONDITIONS)[number] };

/** `nonZeroAllowance`: the token changes allowances only from or to zero. */
export const CURRENCY_CONDITIONS = [
  "input",
  "output",
  "swapInput",
  "swapOutput",
  "payment",
  "nonZeroAllowance",
] as const;

export const PLAIN_CONDITIONS = [
  "deadline",
  "startTime",
  "endTime",
  "gas",
  "programGas",
  "callDataBytes",
  "walletLimit",
] as const;

interface SuccessVerdict {
  readonly outcome: "success";
}

export interface FailureVerdict {
  readonly outcome: "failure";
  readonly failReason: FailReason;
  /** Index of the order's call that failed, from 0; undefined if another call failed. */
  readonly txIndex: number | undefined;
  /** Error: name and arguments, text, or selector. */
  readonly error: string;
  /** Condition that was not met; unreliable if the explanation is uncertain. */
  readonly condition: FailedCondition | undefined;
  /** Path to the cause in the call tree: index among each parent's calls, from the root. */
  readonly path: readonly number[];
  /** Hint, in one sentence. */
  readonly hint: string;
  /** Cause in words; undefined only in reports of earlier versions. */
  readonly explanation?: Explanation;
}

/** Cause of a failure, in words. */
export interface Explanation {
  /** What kind of condition was not met, or `unknown`. */
  readonly kind: CauseKind | "unknown";
  /** Cause, without a capital letter and a period. */
  readonly cause: string;
  /** Whether the cause is certain. If not, `cause` is what is known, or what the error means in a project that may use it. */
  readonly isCertain: boolean;
  /** Project and public repository that define the error. */
  readonly source: string | undefined;
}

/** Result of a replayed fill. */
export type Verdict = SuccessVerdict | FailureVerdict;

const TEXTS = {
  input: "input",
  output: "output for the recipient",
  swapInput: "input of the swap",
  swapOutput: "output of the swap",
  payment: "payment",
  nonZeroAllowance: "allowance before a new one",
  deadline: "deadline",
  startTime: "start time",
  endTime: "end time",
  gas: "gas",
  programGas: "gas for the program",
  callDataBytes: "bytes of call data",
  walletLimit: "number per wallet",
} as const;

interface ConditionNotation {
  readonly nameOf: (account: Address) => string;
  readonly amountOf: (amount: bigint, currency: Address) => string;
}

const PLAIN: ConditionNotation = { nameOf: (account) => account, amountOf: (amount) => String(amount) };

/** Formats a condition with its numbers: `balance of 0x…: needed 1000, had 990`. */
export function describeCondition(condition: FailedCondition, notation: ConditionNotation = PLAIN): string {
  const currency = "currency" in condition ? condition.currency : undefined;
  const numberOf = (amount: bigint): string =>
    currency === undefined ? String(amount) : notation.amountOf(amount, currency);
  const { needed, had } = condition;
  return `${describeSubject(condition, notation)}: needed ${numberOf(needed)}, had ${numberOf(had)}`;
}

function describeSubject(subject: ConditionSubject, { nameOf }: ConditionNotation): string {
  switch (subject.kind) {
    case "allowance":
      return `allowance of ${nameOf(subject.spender)}`;
    case "balance":
      return `balance of ${nameOf(subject.account)}`;
    case "nftBalance":
      return `balance of ${nameOf(subject.account)} of id ${subject.tokenId}`;
    case "supply":
      return subject.tokenId === undefined ? "supply" : `supply of id ${subject.tokenId}`;
    default:
      return TEXTS[subject.kind];
  }
}
