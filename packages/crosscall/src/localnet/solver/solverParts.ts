import type { Log } from "../log.ts";
import type { Market } from "../market/market.ts";
import type { Faults } from "../scenarios/fillFault.ts";
import type { Store } from "../store/store.ts";

export interface SolverParts extends Market {
  readonly store: Store;
  /** Deviation of delivered amounts from the quote, in bps. Never below the minimum, and never for EXACT_OUTPUT. */
  readonly deliveryBps: number;
  readonly faults: Faults;
  /** From announcement to confirmation, in milliseconds. */
  readonly depositTimeoutMs: number;
  /** From signature to inclusion, in milliseconds; the fill is canceled then. */
  readonly inclusionTimeoutMs: number;
  readonly log: Log;
}
