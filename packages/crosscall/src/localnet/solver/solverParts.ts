import type { Reporter } from "../log.ts";
import type { ChainReader, LedgerUser, Market, Payer, Pricer, RandomSource, Recorder } from "../market/market.ts";
import type { Faults } from "../scenarios/requestFaults.ts";
import type { Store } from "../store/store.ts";

export type { Reporter } from "../log.ts";
export type { ChainReader, Payer, Pricer, Recorder, Timed } from "../market/market.ts";

// Parts of the solver, in addition to those of the market. A function takes only the parts that it needs.

/** Records deposits, and logs deposits that cannot be processed. */
export interface Observer extends Recorder, Reporter {}

/** Signs transactions, and records them before they are sent. */
export interface Signer extends Recorder, Payer {}

/** Returns deposits. */
export interface Refunder extends Signer, Observer, Pricer {}

/** Fills orders. */
export interface Filler extends Refunder {
  /** Deviation of delivered amounts from the quote, in bps; never below the minimum or for EXACT_OUTPUT. */
  readonly deliveryBps: number;
}

/** Records transactions on simulated chains, which have no blocks. */
export interface Simulator extends Recorder, RandomSource, LedgerUser {}

/** Reads the failures that a test or an operator set for a request. */
export interface FaultReader {
  readonly faults: Faults;
}

export interface DepositAwaiter extends Observer, ChainReader {
  /** Timeout from announcement to confirmation, in milliseconds. */
  readonly depositTimeoutMs: number;
}

export interface SolverParts extends Market, Filler, Simulator, DepositAwaiter, FaultReader {
  readonly store: Store;
  /** Timeout from signature to inclusion, in milliseconds, after which the fill is canceled. */
  readonly inclusionTimeoutMs: number;
}
