import type { Hex } from "viem";

import type { FillTransaction } from "../encodeFill.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { ReplaySource } from "../replayReport.ts";

export interface Subject {
  readonly source: ReplaySource;
  readonly plan: FillPlan;
  /** Delivered amount, in the plan currency's smallest unit. */
  readonly amount: bigint;
  readonly sent: SentFill | undefined;
}

export interface SentFill {
  readonly transaction: FillTransaction;
  /** Undefined if it was only tried. */
  readonly hash: Hex | undefined;
  /** The block that includes it, or on whose state it was tried; undefined if unknown. */
  readonly blockNumber: bigint | undefined;
}
