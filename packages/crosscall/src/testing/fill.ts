import type { Address, TransactionReceipt } from "viem";

import type { CallFrame } from "../replay/callFrame.ts";
import type { FillPlan } from "../replay/fillPlan.ts";
import type { ReplayFinding } from "../replay/finding.ts";
import type { AllowanceChange, BalanceChange } from "../replay/replayReport.ts";
import type { Verdict } from "../replay/verdict.ts";

/** A fill made on a test's chain, for the matchers. */
export interface Fill {
  readonly plan: FillPlan;
  /** Delivered amount, in the smallest unit of the plan's currency. */
  readonly amount: bigint;
  /** Whether it works, and if not, why. */
  readonly verdict: Verdict;
  /** Of the fill's transaction, even if it reverted. */
  readonly receipt: TransactionReceipt;
  /** The call tree of the fill. */
  readonly trace: CallFrame;
  /** Balances of the fill's accounts, including unchanged ones. */
  readonly balances: readonly BalanceChange[];
  /** The allowances that the fill set or used. */
  readonly allowances: readonly AllowanceChange[];
  /** The called proxies and executors, which like the router must end with nothing. */
  readonly proxies: readonly Address[];
  /** What remains on the router and the proxies. */
  readonly leftovers: readonly ReplayFinding[];
}
