import type { Execution } from "../execution.ts";
import type { Fork } from "../fork/fork.ts";
import type { ReplayFinding } from "../finding.ts";
import type { Original } from "../replayReport.ts";

/** A fill that ran on a fork, and the states around it. */
export interface PreparedFill {
  readonly fork: Fork;
  readonly execution: Execution;
  /** What was put on the router for it before, in the smallest unit of the plan's currency; native goes along with it. */
  readonly delivered: bigint;
  /** Reads the state right before the fill. */
  before<Result>(read: () => Promise<Result>): Promise<Result>;
  /** Reads the state right after the fill. */
  after<Result>(read: () => Promise<Result>): Promise<Result>;
  /** The transaction as it really went, where it did. */
  readonly original: Original | undefined;
  /** What could not be made as it was. */
  readonly findings: readonly ReplayFinding[];
}
