import { type Address, type Hex, getAddress } from "viem";
import { MalformedDataError } from "@crosscall/protocol/core";

type CallKind = "CALL" | "DELEGATECALL" | "STATICCALL" | "CALLCODE" | "CREATE" | "CREATE2" | "SELFDESTRUCT";

export const CALL_KINDS = [
  "CALL",
  "DELEGATECALL",
  "STATICCALL",
  "CALLCODE",
  "CREATE",
  "CREATE2",
  "SELFDESTRUCT",
] as const satisfies readonly CallKind[];

type FrameError = "reverted" | "out of gas" | "other";

export const FRAME_ERRORS = ["reverted", "out of gas", "other"] as const satisfies readonly FrameError[];

export interface FrameLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  /** Number of calls that the frame made before the log. */
  readonly position: number;
}

/** A frame in the format of go-ethereum's `callTracer`. */
export interface CallFrame {
  readonly kind: CallKind;
  readonly from: Address;
  /** Called address; undefined for a failed creation. */
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
  /** Logs, without those of failed frames. */
  readonly logs: readonly FrameLog[];
}

interface RawFrame {
  readonly type?: string;
  readonly from: Address;
  readonly to?: Address;
  readonly value?: Hex;
  readonly gas?: Hex;
  readonly gasUsed?: Hex;
  readonly input?: Hex;
  readonly output?: Hex;
  readonly error?: string;
  readonly calls?: readonly RawFrame[];
  readonly logs?: readonly RawLog[];
}

interface RawLog {
  readonly address: Address;
  readonly topics?: readonly Hex[];
  readonly data?: Hex;
  readonly position?: Hex | number;
}

/** @throws {@link MalformedDataError} if the value is not a call frame */
export function readFrame(raw: unknown): CallFrame {
  if (typeof raw !== "object" || raw === null || !("from" in raw)) {
    throw new MalformedDataError({ what: "the trace of a node", path: "", reason: "it is not a call frame" });
  }
  return toFrame(raw as RawFrame);
}

function toFrame(raw: RawFrame): CallFrame {
  const kind = CALL_KINDS.find((known) => known === raw.type?.toUpperCase());
  if (kind === undefined) {
    throw new MalformedDataError({ what: "the trace of a node", path: "type", reason: `it is ${String(raw.type)}` });
  }
  const isFailed = raw.error !== undefined && raw.error !== "";
  return {
    kind,
    from: getAddress(raw.from),
    to: raw.to === undefined ? undefined : getAddress(raw.to),
    value: BigInt(raw.value ?? 0),
    gas: BigInt(raw.gas ?? 0),
    gasUsed: BigInt(raw.gasUsed ?? 0),
    input: raw.input ?? "0x",
    output: raw.output ?? "0x",
    error: isFailed ? errorOf(raw.error) : undefined,
    errorText: isFailed ? raw.error : undefined,
    calls: (raw.calls ?? []).map(toFrame),
    // Drops the logs of failed frames, which some nodes include.
    logs: isFailed ? [] : (raw.logs ?? []).map(toLog),
  };
}

function toLog({ address, topics = [], data = "0x", position = 0 }: RawLog): FrameLog {
  return { address: getAddress(address), topics, data, position: Number(position) };
}

function errorOf(text: string): FrameError {
  if (/out ?of ?gas/iu.test(text)) return "out of gas";
  return /revert/iu.test(text) ? "reverted" : "other";
}
