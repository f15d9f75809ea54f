import type { FailReason, RefundFailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";
import type { EvmCall } from "../devchain/devChain.ts";
import type { RequestRow } from "../store/tables/requestTables.ts";

/** What the solver does differently for one request; what is left out it does as ever. */
export interface FillFault {
  /** Ends the request with this reason: nothing is filled, the deposit goes back. */
  readonly failReason?: FailReason;
  /** Keeps the refund back with this reason: the request ends in failure. */
  readonly refundFailReason?: RefundFailReason;
  /** In place of the network's own `deliveryBps`. */
  readonly deliveryBps?: number;
  /** Whether `deliveryBps` goes below the quoted minimum, too. */
  readonly deliversBelowMinimum?: boolean;
  /** How long the solver lets the deposit lie before it fills, in milliseconds of the service's clock. */
  readonly delayMs?: number;
  /** How far the solver's clock is ahead for this request, in seconds. */
  readonly lateSeconds?: number;
  /** Whether the request stays pending until a later answer says otherwise. */
  readonly isHeld?: boolean;
  /** Whether the fill is sent without a trial, so that it reverts in its block where it must revert. */
  readonly skipsSimulation?: boolean;
  /** A call that the fill makes before those of the order. */
  readonly firstCall?: EvmCall;
  /** The fill's gas limit, whatever the estimate says. */
  readonly gasLimit?: bigint;
}

/** Decides what a fill does beside the ordinary. */
export interface Faults {
  /**
   * The fault of a request with a deposit. It is asked before each step of the request and again after a restart, so
   * it must know by itself what it answered before.
   */
  forRequest(request: RequestRow): Promise<FillFault>;
}
