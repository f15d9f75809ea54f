import type { Address } from "viem";

import type { FailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";

/** How a fill goes for one delivered amount. */
export interface EnvelopePoint {
  /** Delivered, smallest unit. */
  readonly amount: bigint;
  readonly success: boolean;
  /** Of the whole transaction. */
  readonly gasUsed: bigint;
  /** What the recipient gets of each output, in the order of `outputs`, smallest unit; empty where it fails. */
  readonly received: readonly bigint[];
  readonly failReason: FailReason | undefined;
  /** The order's call that failed, from 0. */
  readonly txIndex: number | undefined;
}

/** Amounts between which a fill works or fails throughout, as far as it was tried. */
export interface EnvelopeRange {
  readonly from: bigint;
  readonly to: bigint;
  readonly success: boolean;
  readonly failReason: FailReason | undefined;
  /** The order's call that fails, from 0. */
  readonly txIndex: number | undefined;
}

/** What a fill takes of gas. */
export interface EnvelopeGas {
  /** The most that a fill of the range used. */
  readonly maximum: bigint;
  /** 99 of 100 of the tried amounts used no more. */
  readonly p99: bigint;
  /** What a fill has to be given for the dearest amount, a fifth added for what a block may change. */
  readonly recommendedLimit: bigint;
}

/** Results of a fill over a range of delivered amounts. */
export interface Envelope {
  /** What the recipient gets; the zero address is native. */
  readonly outputs: readonly Address[];
  /** By amount, rising. */
  readonly points: readonly EnvelopePoint[];
  /** Without gaps; where works and fails meet, the border is exact to the unit. */
  readonly ranges: readonly EnvelopeRange[];
  /** The smallest amount of the range that works. */
  readonly smallestWorking: bigint | undefined;
  /** Of the amounts that work; undefined where none does. */
  readonly gas: EnvelopeGas | undefined;
}
