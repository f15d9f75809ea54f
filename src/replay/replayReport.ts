import type { Address, Hex } from "viem";

import type { CallFrame } from "./callFrame.ts";
import type { Envelope } from "./envelope/envelope.ts";
import type { FillPlan } from "./fillPlan.ts";
import type { ReplayFinding } from "./finding.ts";
import type { Verdict } from "./verdict.ts";

/** Where a replayed fill comes from. */
export type ReplaySource =
  | { readonly kind: "request"; readonly requestId: Hex; readonly status: string }
  | { readonly kind: "transaction"; readonly hash: Hex }
  | { readonly kind: "quote"; readonly requestId: Hex | undefined }
  | { readonly kind: "plan"; readonly name: string };

/** A call of the trace, decoded where possible. */
export interface TraceNode {
  readonly frame: Omit<CallFrame, "calls" | "logs">;
  /** The function and its arguments: `transfer(to: 0x…, amount: 990)`; undefined where no ABI explains it. */
  readonly call: string | undefined;
  /** What it returned, decoded; undefined where nothing is known or returned. */
  readonly result: string | undefined;
  /** Why it failed: the decoded error, a panic's name, `out of gas`; undefined where it did not. */
  readonly error: string | undefined;
  /** Whether it failed and the one above went on all the same. */
  readonly isSwallowed: boolean;
  /** The order's call that it is, from 0. */
  readonly txIndex: number | undefined;
  readonly logs: readonly TraceLog[];
  readonly calls: readonly TraceNode[];
}

/** An event of the trace. */
export interface TraceLog {
  readonly address: Address;
  /** `Transfer(from: 0x…, to: 0x…, value: 990)`; undefined where no ABI explains it. */
  readonly event: string | undefined;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  /** How many calls of the node had been made before it. */
  readonly position: number;
}

/** A movement of a token or of native currency, in the order in which they happened. */
export interface Transfer {
  /** The zero address is native. */
  readonly currency: Address;
  readonly from: Address;
  readonly to: Address;
  /** Smallest unit. */
  readonly amount: bigint;
  /** The order's call in which it happened, from 0. */
  readonly txIndex: number | undefined;
}

/** What an account has more or less of something after the fill, in the smallest unit. */
export interface BalanceChange {
  readonly account: Address;
  readonly currency: Address;
  readonly before: bigint;
  readonly after: bigint;
}

/** What an account lets another take more or less of, in the smallest unit. */
export interface AllowanceChange {
  readonly token: Address;
  readonly owner: Address;
  readonly spender: Address;
  readonly before: bigint;
  readonly after: bigint;
}

/** What is known of a currency that the replay met. */
export interface CurrencyFacts {
  readonly address: Address;
  readonly symbol: string;
  readonly decimals: number;
}

/** The fill as it really happened, beside the replay. */
export interface Original {
  readonly hash: Hex;
  readonly blockNumber: bigint;
  readonly success: boolean;
  readonly gasUsed: bigint;
  /** Whether gas used, logs and outcome of the replay are the same. */
  readonly isReproduced: boolean;
}

/** Result of a replay. */
export interface ReplayReport {
  readonly source: ReplaySource;
  readonly plan: FillPlan;
  /** The state it ran on: after this block. */
  readonly blockNumber: bigint;
  /** What was delivered in this run, smallest unit of the plan's currency. */
  readonly amount: bigint;
  readonly verdict: Verdict;
  readonly findings: readonly ReplayFinding[];
  readonly gasUsed: bigint;
  readonly trace: TraceNode;
  readonly transfers: readonly Transfer[];
  readonly balances: readonly BalanceChange[];
  readonly allowances: readonly AllowanceChange[];
  readonly currencies: readonly CurrencyFacts[];
  /** What accounts are: `router`, `solver`, `recipient`, a contract's name. By checksummed address. */
  readonly names: Readonly<Record<Address, string>>;
  readonly original: Original | undefined;
  readonly envelope: Envelope | undefined;
}
