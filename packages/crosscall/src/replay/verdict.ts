import type { Address } from "viem";

import type { FailReason } from "@crosscall/protocol/request";

/** A condition of a call that did not hold. `needed` and `had` are in the smallest unit, seconds, gas, bytes or pieces. */
export type FailedCondition = ConditionSubject & { readonly needed: bigint; readonly had: bigint };

/** A `currency` of zero is native currency; undefined if unknown. */
export type ConditionSubject =
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

export interface SuccessVerdict {
  readonly outcome: "success";
}

export interface FailureVerdict {
  readonly outcome: "failure";
  readonly failReason: FailReason;
  /** Index of the order's call that failed, from 0; undefined if it is not one of them. */
  readonly txIndex: number | undefined;
  /** Name and arguments, text, or selector. */
  readonly error: string;
  readonly condition: FailedCondition | undefined;
  /** Position of the cause in the call tree: indexes among each parent's calls, from the root. */
  readonly path: readonly number[];
  /** What to do about it, in one sentence. */
  readonly hint: string;
}

/** Result of a replayed fill. */
export type Verdict = SuccessVerdict | FailureVerdict;
