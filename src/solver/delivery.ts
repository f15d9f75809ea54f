import type { Address } from "viem";

import type { FailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";
import type { EvmCall } from "../devchain/devChain.ts";

/** What the solver gives for a fill, and what the fill delivers; amounts in the smallest unit. */
export interface Delivery {
  /** Of the solver's holdings. */
  readonly payment: { readonly currency: Address; readonly amount: bigint };
  /** What arrives: as the pools stand now, where it is swapped for. */
  readonly amount: bigint;
  /** The calls that swap, made by the router before the order's; none where the solver holds what it delivers. */
  readonly swapCalls: readonly EvmCall[];
}

/** A delivery, or why there is none. */
export type DeliveryPlan =
  | { readonly works: true; readonly delivery: Delivery }
  | { readonly works: false; readonly failReason: FailReason };

/** What decides a delivery beside the request. */
export interface DeliveryTerms {
  /** Smallest unit of the origin currency. */
  readonly depositedInput: bigint;
  /** How far the delivery lies from the quote, in bps. */
  readonly deliveryBps: number;
  /** Whether it may go below the quoted minimum. */
  readonly deliversBelowMinimum: boolean;
}
