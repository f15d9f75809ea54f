import type { LocalNames } from "@crosscall/oracle/server";
import type { Clock } from "@crosscall/protocol/core";
import type { Log } from "../log.ts";
import type { LedgerArrival } from "../market/ledger.ts";

export interface LedgerParts {
  /** Called with each payment to the solver or the depository. */
  readonly onArrival: (arrival: LedgerArrival) => Promise<void>;
  /** Host names that the API accepts. */
  readonly names: LocalNames;
  readonly clock: Clock;
  readonly log: Log;
}
