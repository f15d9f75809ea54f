import type { Hex } from "viem";

import type { CallFrame } from "./callFrame.ts";

/** How a transaction went on a fork. */
export interface Execution {
  readonly success: boolean;
  /** Of the whole transaction: what a receipt tells, refunds taken off. */
  readonly gasUsed: bigint;
  /** What the transaction returned, or reverted with. */
  readonly output: Hex;
  readonly frame: CallFrame;
}
