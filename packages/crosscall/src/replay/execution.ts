import type { Hex } from "viem";

import type { CallFrame } from "./callFrame.ts";

/** How a transaction went on a fork. */
export interface Execution {
  readonly success: boolean;
  /** Of the whole transaction, after refunds, as in a receipt. */
  readonly gasUsed: bigint;
  /** The transaction's return or revert data. */
  readonly output: Hex;
  readonly frame: CallFrame;
}
