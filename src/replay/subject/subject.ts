import type { Hex } from "viem";

import type { FillTransaction } from "../encodeFill.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { ReplaySource } from "../replayReport.ts";

/** What is to be replayed. */
export interface Subject {
  readonly source: ReplaySource;
  readonly plan: FillPlan;
  /** What is delivered, smallest unit of the plan's currency. */
  readonly amount: bigint;
  readonly sent: SentFill | undefined;
}

/** A fill that the solver sent, or tried before it would have sent it. */
export interface SentFill {
  readonly transaction: FillTransaction;
  /** Where it was included; undefined where it was only tried. */
  readonly hash: Hex | undefined;
  /** The block that includes it, or on whose state it was tried; undefined where nobody told. */
  readonly blockNumber: bigint | undefined;
}
