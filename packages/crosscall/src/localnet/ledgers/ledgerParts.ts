import type { LocalNames } from "@crosscall/oracle/server";
import type { Clock } from "@crosscall/protocol/core";
import type { Log } from "../log.ts";
import type { LedgerArrival } from "../market/ledger.ts";
import type { Database, StoreTransaction } from "../store/schema.ts";
import type { Store } from "../store/store.ts";

export interface LedgerParts {
  readonly db: Database;
  /**
   * Called with each payment to the solver or the depository, in the database transaction of the payment.
   *
   * @throws {@link RejectionError} or {@link InvalidInputError} before it writes, if the request takes no payment
   */
  readonly onArrival: (arrival: LedgerArrival, db: StoreTransaction) => Promise<void>;
  readonly onLedgerChange: Store["onLedgerChange"];
  /** Host names that the API accepts. */
  readonly names: LocalNames;
  readonly clock: Clock;
  readonly log: Log;
}
