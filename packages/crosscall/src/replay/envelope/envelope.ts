import type { Address } from "viem";

import type { FailReason } from "@crosscall/protocol/request";

export interface EnvelopePoint {
  /** Delivered amount, smallest unit. */
  readonly amount: bigint;
  readonly success: boolean;
  /** Of the whole transaction. */
  readonly gasUsed: bigint;
  /** Per output in the order of `outputs`, smallest unit; empty for a failure. */
  readonly received: readonly bigint[];
  readonly failReason: FailReason | undefined;
  /** From 0. */
  readonly txIndex: number | undefined;
}

/** A range in which every tried amount has the same outcome. */
export interface EnvelopeRange {
  readonly from: bigint;
  readonly to: bigint;
  readonly success: boolean;
  readonly failReason: FailReason | undefined;
  /** From 0. */
  readonly txIndex: number | undefined;
}

export interface EnvelopeGas {
  /** Maximum over the range. */
  readonly maximum: bigint;
  /** 99th percentile. */
  readonly p99: bigint;
  /** Gas limit for the costliest amount, plus a fifth. */
  readonly recommendedLimit: bigint;
}

/** Results of a fill over a range of delivered amounts. */
export interface Envelope {
  /** What the recipient receives; zero address for native currency. */
  readonly outputs: readonly Address[];
  /** In ascending order. */
  readonly points: readonly EnvelopePoint[];
  /** Without gaps; borders between success and failure are exact to the unit. */
  readonly ranges: readonly EnvelopeRange[];
  /** The smallest amount that works. */
  readonly smallestWorking: bigint | undefined;
  /** Of the amounts that work; undefined if none does. */
  readonly gas: EnvelopeGas | undefined;
}
