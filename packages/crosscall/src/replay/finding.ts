import type { Address } from "viem";

/** Findings of a replay, next to its verdict. */
export const REPLAY_FINDINGS = {
  LEFT_TOKENS: "Tokens or native currency remain on the router or a proxy, where anyone can take them.",
  LEFT_ALLOWANCE: "An allowance of the router or a proxy remains after the fill.",
  SWALLOWED_FAILURE: "A call failed, and the fill continued without it.",
  NOTHING_DELIVERED: "The fill succeeds, but the recipient receives nothing.",
  CALLS_PROBLEM: "A rule of the checker reports a problem in the calls.",
  NOT_REPRODUCED: "The result of the replay differs from the original transaction.",
  STATE_DIFFERS: "Part of the original block state could not be reproduced.",
} as const;

/** Stable code of a finding. */
export type ReplayFindingCode = keyof typeof REPLAY_FINDINGS;

/** A finding of a replay, besides its verdict. */
export interface ReplayFinding {
  readonly code: ReplayFindingCode;
  readonly severity: "error" | "warning" | "note";
  /** Index of the order's call that the finding is about, from 0. */
  readonly txIndex: number | undefined;
  readonly reason: string;
  readonly hint: string;
  /** Remaining balance, in the smallest unit. */
  readonly left?: { readonly account: Address; readonly currency: Address; readonly amount: bigint };
}
