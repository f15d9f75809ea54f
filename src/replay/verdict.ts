import type { Address } from "viem";

import type { FailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";

/** A condition of a call that did not hold. `needed` and `had` are in the smallest unit, seconds, gas, bytes or pieces. */
export type FailedCondition = ConditionSubject & { readonly needed: bigint; readonly had: bigint };

/** What a {@link FailedCondition} is about. A `currency` of zero is the native one; undefined if it is unknown. */
export type ConditionSubject =
  | { readonly kind: "allowance"; readonly spender: Address; readonly currency: Address }
  | { readonly kind: "balance"; readonly account: Address; readonly currency: Address }
  | { readonly kind: "nftBalance"; readonly account: Address; readonly tokenId: bigint }
  | { readonly kind: "supply"; readonly tokenId: bigint | undefined }
  | { readonly kind: (typeof CURRENCY_CONDITIONS)[number]; readonly currency: Address | undefined }
  | { readonly kind: (typeof PLAIN_CONDITIONS)[number] };

/** Amounts of a currency. `nonZeroAllowance`: the token changes an allowance only from or to zero. */
export const CURRENCY_CONDITIONS = [
  "input",
  "output",
  "swapInput",
  "swapOutput",
  "payment",
  "nonZeroAllowance",
] as const;

/** Numbers without a currency. */
export const PLAIN_CONDITIONS = [
  "deadline",
  "startTime",
  "endTime",
  "gas",
  "programGas",
  "callDataBytes",
  "walletLimit",
] as const;

/** The fill works. */
export interface SuccessVerdict {
  readonly outcome: "success";
}

/** The fill fails. */
export interface FailureVerdict {
  readonly outcome: "failure";
  readonly failReason: FailReason;
  /** Which of the order's calls failed, from 0; undefined where it is none of them. */
  readonly txIndex: number | undefined;
  /** The error in words: its name and arguments, its text, or its selector. */
  readonly error: string;
  readonly condition: FailedCondition | undefined;
  /** Where in the call tree the cause is: the index among its parent's calls, from the root. */
  readonly path: readonly number[];
  /** What to do about it, as a sentence. */
  readonly hint: string;
}

/** Result of a replayed fill. */
export type Verdict = SuccessVerdict | FailureVerdict;
