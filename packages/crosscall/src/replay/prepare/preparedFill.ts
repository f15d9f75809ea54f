import type { Execution } from "../execution.ts";
import type { Fork } from "../fork/fork.ts";
import type { ReplayFinding } from "../finding.ts";
import type { Original } from "../replayReport.ts";

export interface PreparedFill {
  readonly fork: Fork;
  readonly execution: Execution;
  /**
   * The router's balance from the delivery, in the plan currency's smallest unit; native currency is the value instead.
   */
  readonly delivered: bigint;
  before<Result>(read: () => Promise<Result>): Promise<Result>;
  after<Result>(read: () => Promise<Result>): Promise<Result>;
  /** The transaction as it was included, if it was. */
  readonly original: Original | undefined;
  /** Differences from the original circumstances. */
  readonly findings: readonly ReplayFinding[];
}
