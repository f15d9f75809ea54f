import type { Address, Hex } from "viem";

export type CallKind = "CALL" | "DELEGATECALL" | "STATICCALL" | "CALLCODE" | "CREATE" | "CREATE2" | "SELFDESTRUCT";

export interface FrameLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  /** Number of calls that the frame had made before it. */
  readonly position: number;
}

export type FrameError = "reverted" | "out of gas" | "other";

/** As go-ethereum's `callTracer` reports it. */
export interface CallFrame {
  readonly kind: CallKind;
  readonly from: Address;
  /** Undefined for a failed creation. */
  readonly to: Address | undefined;
  /** Wei. */
  readonly value: bigint;
  /** Gas limit of the call. */
  readonly gas: bigint;
  readonly gasUsed: bigint;
  readonly input: Hex;
  readonly output: Hex;
  readonly error: FrameError | undefined;
  /** The engine's text. */
  readonly errorText: string | undefined;
  readonly calls: readonly CallFrame[];
  /** Without logs of failed frames. */
  readonly logs: readonly FrameLog[];
}
