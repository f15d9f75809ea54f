import type { Clock } from "@crosscall/protocol/core";
import type { Execution } from "@crosscall/protocol/attestation";
import type { HubConfig } from "./chainFiles.ts";
import type { ChainTable } from "./chainTable.ts";
import type { DisabledChains } from "./config/loadConfiguration.ts";
import type { OracleSettings } from "./config/settings.ts";
import type { Ledger } from "./attest/ledger.ts";
import type { HubReader } from "./hub.ts";
import type { Log } from "./log.ts";
import type { Observer } from "./observer.ts";
import type { Peers } from "./peers/peers.ts";
import type { RateLimit } from "./service/rateLimit.ts";
import type { OracleSigner } from "./signers/signer.ts";

export interface OracleContext {
  readonly settings: OracleSettings;
  readonly disabledChains: DisabledChains;
  readonly chains: ChainTable;
  readonly hub: HubConfig;
  readonly hubReader: HubReader;
  readonly ledger: Ledger;
  readonly signer: OracleSigner;
  readonly hashExecution: (execution: Execution) => `0x${string}`;
  readonly clock: Clock;
  readonly peers: Peers;
  readonly observer: Observer;
  readonly rateLimit: RateLimit;
  /** Returns the metrics in Prometheus text format. */
  readonly readMetrics: () => Promise<string>;
  readonly log: Log;
}
