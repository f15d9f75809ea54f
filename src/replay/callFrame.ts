import type { Address, Hex } from "viem";

/** How one contract called another. */
export type CallKind = "CALL" | "DELEGATECALL" | "STATICCALL" | "CALLCODE" | "CREATE" | "CREATE2" | "SELFDESTRUCT";

/** An event as it was emitted. */
export interface FrameLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  /** How many calls of the frame had been made before it. */
  readonly position: number;
}

/** How a call failed, as the engine says. */
export type FrameError = "reverted" | "out of gas" | "other";

/** A call of a transaction, as the engine saw it (the `callTracer` of go-ethereum). */
export interface CallFrame {
  readonly kind: CallKind;
  readonly from: Address;
  /** Undefined for a creation that failed. */
  readonly to: Address | undefined;
  /** Wei. */
  readonly value: bigint;
  /** Gas that the call was given. */
  readonly gas: bigint;
  readonly gasUsed: bigint;
  readonly input: Hex;
  /** What it returned or reverted with. */
  readonly output: Hex;
  readonly error: FrameError | undefined;
  /** The engine's own words of the error. */
  readonly errorText: string | undefined;
  readonly calls: readonly CallFrame[];
  /** Those of a frame that failed never happened, and are not here. */
  readonly logs: readonly FrameLog[];
}
