import type { Address, Hex } from "viem";

import type { CallFrame } from "./trace/callFrame.ts";
import type { Envelope } from "./envelope/envelope.ts";
import type { FillPlan } from "./fillPlan.ts";
import type { Verdict } from "./verdict.ts";

export type ReplaySource =
  | { readonly kind: "request"; readonly requestId: Hex; readonly status: string }
  | { readonly kind: "transaction"; readonly hash: Hex }
  | { readonly kind: "quote"; readonly requestId: Hex | undefined }
  | { readonly kind: "plan"; readonly name: string };

/** A call of the trace, decoded where possible. */
export interface TraceNode {
  readonly frame: Omit<CallFrame, "calls" | "logs">;
  /** Decoded call, such as `transfer(to: 0x…, amount: 990)`; undefined without an ABI. */
  readonly call: string | undefined;
  /** Decoded result; undefined if unknown or empty. */
  readonly result: string | undefined;
  /** Decoded error, the name of a panic, or `out of gas`; undefined if the call succeeded. */
  readonly error: string | undefined;
  /** Whether the call failed and its caller continued. */
  readonly isSwallowed: boolean;
  /** Index of the order's call, from 0. */
  readonly txIndex: number | undefined;
  readonly logs: readonly TraceLog[];
  readonly calls: readonly TraceNode[];
}

export interface TraceLog {
  readonly address: Address;
  /** Decoded event, such as `Transfer(from: 0x…, to: 0x…, value: 990)`; undefined without an ABI. */
  readonly event: string | undefined;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  /** Number of calls that the parent made before the event. */
  readonly position: number;
}

/** Transfer of a token or of native currency. Transfers are in order of execution. */
export interface Transfer {
  /** Token; the zero address for native currency. */
  readonly currency: Address;
  readonly from: Address;
  readonly to: Address;
  /** Smallest unit. */
  readonly amount: bigint;
  /** Index of the order's call, from 0. */
  readonly txIndex: number | undefined;
}

/** Balance before and after, in the smallest unit. */
export interface BalanceChange {
  readonly account: Address;
  readonly currency: Address;
  readonly before: bigint;
  readonly after: bigint;
}

/** Allowance before and after, in the smallest unit. */
export interface AllowanceChange {
  readonly token: Address;
  readonly owner: Address;
  readonly spender: Address;
  readonly before: bigint;
  readonly after: bigint;
}

export interface CurrencyFacts {
  readonly address: Address;
  readonly symbol: string;
  readonly decimals: number;
  /** US dollars per whole unit at the time of the quote or the fill, if known. */
  readonly priceUsd?: number;
}

export interface Original {
  readonly hash: Hex;
  readonly blockNumber: bigint;
  readonly success: boolean;
  readonly gasUsed: bigint;
  /** Whether the replay has the same gas, logs and outcome. */
  readonly isReproduced: boolean;
}

/** Result of a replay. */
export interface ReplayReport {
  readonly source: ReplaySource;
  readonly plan: FillPlan;
  /** Block after which the fill ran. */
  readonly blockNumber: bigint;
  /** Delivered amount in the smallest unit of the plan's currency. */
  readonly amount: bigint;
  readonly verdict: Verdict;
  readonly findings: readonly ReplayFinding[];
  readonly gasUsed: bigint;
  readonly trace: TraceNode;
  readonly transfers: readonly Transfer[];
  readonly balances: readonly BalanceChange[];
  readonly allowances: readonly AllowanceChange[];
  readonly currencies: readonly CurrencyFacts[];
  /** Names of accounts by checksummed address: `router`, `solver`, `recipient`, or a contract's name. */
  readonly names: Readonly<Record<Address, string>>;
  readonly original: Original | undefined;
  readonly envelope: Envelope | undefined;
}

/** Findings of a replay, in addition to its verdict. */
export const REPLAY_FINDINGS = {
  LEFT_TOKENS: "Tokens or native currency remain on the router or a proxy, where anyone can take them.",
  LEFT_ALLOWANCE: "An allowance of the router or a proxy remains after the fill, for a spender that is not a proxy.",
  SWALLOWED_FAILURE: "A call failed, but the fill continued.",
  CALL_WITHOUT_CODE: "A call to an address without code succeeds and does nothing.",
  CALL_WITHOUT_EFFECT: "A call of the order succeeds and leaves no change.",
  NOTHING_DELIVERED: "The fill succeeds, but the recipient receives nothing.",
  CALLS_PROBLEM: "A rule of the checker reports a problem in the calls.",
  NOT_REPRODUCED: "The result of the replay differs from the original transaction.",
  STATE_DIFFERS: "Part of the original block state could not be reproduced.",
} as const;

/** Stable code of a finding. */
export type ReplayFindingCode = keyof typeof REPLAY_FINDINGS;

/** A finding of a replay, in addition to its verdict. */
export interface ReplayFinding {
  readonly code: ReplayFindingCode;
  readonly severity: "error" | "warning" | "note";
  /** Index of the order's call that the finding is about, from 0. */
  readonly txIndex: number | undefined;
  readonly reason: string;
  readonly hint: string;
  /** Remaining balance in the smallest unit. */
  readonly left?: { readonly account: Address; readonly currency: Address; readonly amount: bigint };
}
