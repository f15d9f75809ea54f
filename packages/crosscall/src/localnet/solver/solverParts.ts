import type { Hex, LocalAccount } from "viem";

import type { Clock } from "@crosscall/protocol/core";
import type { DevChain } from "../devchain/devChain.ts";
import type { Log } from "../log.ts";
import type { CurrencyTable } from "../market/currencies.ts";
import type { Market } from "../market/market.ts";
import type { Faults } from "../scenarios/requestFaults.ts";
import type { Store } from "../store/store.ts";

// Roles of the solver. A function names those that it needs.

export interface Timed {
  /** The service's clock. */
  readonly clock: Clock;
}

export interface Reporter {
  readonly log: Log;
}

/** Knows what currencies are worth. */
export interface Pricer {
  readonly currencies: CurrencyTable;
}

/** Reads the chains of the network, by their id. */
export interface ChainReader {
  readonly chains: ReadonlyMap<number, DevChain>;
}

/** Has the account that signs and pays. */
export interface Payer {
  readonly solver: LocalAccount;
}

/** Records what happens to requests. */
export interface Recorder extends Timed {
  readonly store: Store;
}

/** Records deposits, and logs those that it cannot process. */
export interface Observer extends Recorder, Reporter {}

/** Signs transactions, and records them before they are sent. */
export interface Signer extends Recorder, Payer {}

/** Returns deposits. */
export interface Refunder extends Signer, Observer, Pricer {}

/** Pays out what was ordered. */
export interface Filler extends Refunder {
  /** Deviation of delivered amounts from the quote, in bps. Never below the minimum, and never for EXACT_OUTPUT. */
  readonly deliveryBps: number;
}

/** Records transactions on chains that do not run here. */
export interface Simulator extends Recorder {
  readonly randomWord: () => Hex;
}

/** Reads which failures a test or an operator set for a request. */
export interface FaultReader {
  readonly faults: Faults;
}

export interface DepositAwaiter extends Observer, ChainReader {
  /** From announcement to confirmation, in milliseconds. */
  readonly depositTimeoutMs: number;
}

export interface SolverParts extends Market, Filler, Simulator, DepositAwaiter, FaultReader {
  readonly store: Store;
  /** From signature to inclusion, in milliseconds; the fill is canceled then. */
  readonly inclusionTimeoutMs: number;
}
