import type { Log } from "../log.ts";
import type { Market } from "../market/market.ts";
import type { Faults } from "../scenarios/fillFault.ts";
import type { Store } from "../store/store.ts";

/** What the solver works with. */
export interface SolverParts extends Market {
  readonly store: Store;
  /** Deviation of delivered amounts from quoted ones, in bps. Never below the minimum, and never for EXACT_OUTPUT. */
  readonly deliveryBps: number;
  /** Faults to apply, request by request. */
  readonly faults: Faults;
  /** How long a deposit may take from its announcement to its confirmation, in milliseconds. */
  readonly depositTimeoutMs: number;
  /** How long a fill may take from its signature to its block, in milliseconds. It is canceled then. */
  readonly inclusionTimeoutMs: number;
  readonly log: Log;
}
