import type { FailReason, RefundFailReason } from "@crosscall/protocol/request";
import type { EvmCall } from "../devchain/devChain.ts";
import type { RequestRow } from "../store/requests/requests.ts";
import type { JsonObject } from "../store/schema.ts";

/** Absent fields mean the ordinary behavior. */
export interface FillFault {
  /** Ends the request with this reason and refunds the deposit. */
  readonly failReason?: FailReason;
  /** Withholds the refund with this reason; the request ends in failure. */
  readonly refundFailReason?: RefundFailReason;
  /** Replaces the network's `deliveryBps`. */
  readonly deliveryBps?: number;
  readonly deliversBelowMinimum?: boolean;
  /** Delay of the fill in milliseconds of the service's clock. */
  readonly delayMs?: number;
  /** Seconds by which the solver's clock is ahead for this request. */
  readonly lateSeconds?: number;
  /** Seconds that an operator held the fill, which count for no time limit. */
  readonly heldSeconds?: number;
  /** Delivered amount in the smallest unit, chosen by an operator; never for EXACT_OUTPUT. */
  readonly deliveredAmount?: bigint;
  /** The request stays pending while true. */
  readonly isHeld?: boolean;
  /** Sends the fill without simulation, so that it reverts in a block. */
  readonly skipsSimulation?: boolean;
  /** A call of the fill before those of the order. */
  readonly firstCall?: EvmCall;
  readonly gasLimit?: bigint;
}

export interface StoredFaults {
  readonly faults: JsonObject | undefined;
}

export interface Faults {
  /**
   * Called before each step of the request and again after a restart, so the answer must be reproducible.
   *
   * @param stored if they were read already
   */
  forRequest(request: RequestRow, stored?: StoredFaults): Promise<FillFault>;
}
