import type { Address, TransactionReceipt } from "viem";

import type { CallFrame } from "../replay/callFrame.ts";
import type { FillPlan } from "../replay/fillPlan.ts";
import type { ReplayFinding } from "../replay/finding.ts";
import type { AllowanceChange, BalanceChange } from "../replay/replayReport.ts";
import type { Verdict } from "../replay/verdict.ts";

/** A fill made on a test's chain, for the matchers. */
export interface Fill {
  readonly plan: FillPlan;
  /** What was delivered, in the smallest unit of the plan's currency. */
  readonly amount: bigint;
  /** Whether it works, and if not, why. */
  readonly verdict: Verdict;
  /** Of the fill's transaction, also where it reverted. */
  readonly receipt: TransactionReceipt;
  /** Every call of it. */
  readonly trace: CallFrame;
  /** What the accounts of the fill held of its currencies; those that did not change, too. */
  readonly balances: readonly BalanceChange[];
  /** The allowances that the fill set or used. */
  readonly allowances: readonly AllowanceChange[];
  /** The proxies and executors that were called: like the router they must end with nothing. */
  readonly proxies: readonly Address[];
  /** What stays on the router and on the proxies. */
  readonly leftovers: readonly ReplayFinding[];
}
