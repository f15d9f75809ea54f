import type { Clock } from "@crosscall/protocol/core";
import type { ChainControls } from "../devchain/chainControls.ts";
import type { LocalNames } from "@crosscall/oracle/server";
import type { Log } from "../log.ts";
import type { Market } from "../market/market.ts";
import type { Reports } from "../market/reports.ts";
import type { KnownScenarios } from "../scenarios/followScenarios.ts";
import type { Store } from "../store/store.ts";
import type { KeyLimits } from "./keys/keyOptions.ts";
import type { KeyRing } from "./keys/keyRing.ts";
import type { SharedClock } from "./sharedClock.ts";
import type { WebhookSettings } from "./webhooks/settings.ts";

export interface AdmissionParts {
  readonly keys: KeyRing;
  /** For keys without custom limits, and for addresses without a key. */
  readonly limits: KeyLimits;
  /** The key for calls without a key. */
  readonly defaultApiKey?: string | undefined;
  readonly adminKey: string;
  /** Signs access tokens; the same for all processes on a database. */
  readonly networkSecret: string;
  readonly clock: Clock;
}

export interface AppParts extends AdmissionParts {
  readonly log: Log;
  /** Any name if absent, for a service that shows public data only. */
  readonly names?: LocalNames | undefined;
  /** In milliseconds. */
  readonly callTimeoutMs: number;
  /** Whether endpoints work after their end. */
  readonly keepsRetired?: boolean | undefined;
}

export interface ServiceParts extends Market, AppParts {
  readonly store: Store;
  readonly clock: SharedClock;
  readonly chainControls: ReadonlyMap<number, ChainControls>;
  readonly scenarios: KnownScenarios;
  readonly webhooks: WebhookSettings;
  readonly reports: Reports;
  /** Plain data that a network can continue from. */
  readonly snapshot: () => Promise<object>;
}
