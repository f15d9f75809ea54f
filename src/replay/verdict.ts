import type { Address } from "viem";

import type { FailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";

/** A number that was not what a call needed. */
export interface FailedCondition {
  /** What was too little or too much: `balance of 0x…`, `output of the swap`. */
  readonly what: string;
  readonly needed: bigint;
  readonly had: bigint;
  /** Of which both are amounts in the smallest unit, where they are; the zero address is native. */
  readonly currency: Address | undefined;
}

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

/** What a replay comes to. */
export type Verdict = SuccessVerdict | FailureVerdict;
