import type { Address } from "viem";

/** What a replay can find beside its verdict. */
export const REPLAY_FINDINGS = {
  LEFT_TOKENS: "Tokens or native currency stay on the router or on a proxy, where anyone can take them.",
  LEFT_ALLOWANCE: "An allowance of the router or of a proxy stands after the fill.",
  SWALLOWED_FAILURE: "A call failed and the fill went on without it.",
  NOTHING_DELIVERED: "The fill succeeds and the recipient gets nothing by it.",
  CALLS_PROBLEM: "A rule of the checker finds something in the calls.",
  NOT_REPRODUCED: "The replay went otherwise than the transaction itself.",
  STATE_DIFFERS: "Something of the block could not be set as it was.",
} as const;

/** A stable code of a finding. */
export type ReplayFindingCode = keyof typeof REPLAY_FINDINGS;

/** Something that a replay found, whatever its verdict. */
export interface ReplayFinding {
  readonly code: ReplayFindingCode;
  readonly severity: "error" | "warning" | "note";
  /** The order's call that it is about, from 0. */
  readonly txIndex: number | undefined;
  readonly reason: string;
  readonly hint: string;
  /** What stays, where something does, in the smallest unit. */
  readonly left?: { readonly account: Address; readonly currency: Address; readonly amount: bigint };
}
