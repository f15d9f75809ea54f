import type { ChainControls } from "../devchain/chainControls.ts";
import type { LocalNames } from "@crosscall/oracle/server";
import type { Reporter } from "../log.ts";
import type { Market, StoreUser, Timed } from "../market/market.ts";
import type { Reports } from "../market/reports.ts";
import type { KnownScenarios } from "../scenarios/followScenarios.ts";
import type { Store } from "../store/store.ts";
import type { KeyLimits } from "./keys/keyOptions.ts";
import type { KeyRing } from "./keys/keyRing.ts";
import type { SharedClock } from "./sharedClock.ts";
import type { WebhookSettings } from "./webhooks/settings.ts";

// Roles of the service, besides those of the market. A function names those that it needs.

export interface KeyHolder {
  readonly keys: KeyRing;
}

export interface AdminKeyHolder {
  readonly adminKey: string;
}

export interface DefaultKeyHolder {
  /** The key of calls that have none. */
  readonly defaultApiKey?: string | undefined;
}

export interface TokenSigner {
  /** Signs access tokens; the same for all processes on a database. */
  readonly networkSecret: string;
}

export interface RateLimiter {
  /** For keys without limits of their own, and for addresses without a key. */
  readonly limits: KeyLimits;
}

export interface Retirer {
  /** Whether endpoints work after their end. */
  readonly keepsRetired?: boolean | undefined;
}

export interface FieldJudge {
  /** Whether fields that have no effect are rejected. */
  readonly strict?: boolean | undefined;
}

/** Controls the chains of the network, by their id. */
export interface ChainController {
  readonly chainControls: ReadonlyMap<number, ChainControls>;
}

export interface ScenarioReader {
  readonly scenarios: KnownScenarios;
}

export interface WebhookSender {
  readonly webhooks: WebhookSettings;
}

/** Passes on what callers report to the service. */
export interface ReportReceiver {
  readonly reports: Reports;
}

export interface AdmissionParts extends KeyHolder, AdminKeyHolder, DefaultKeyHolder, TokenSigner, RateLimiter, Timed {}

export interface AppParts extends AdmissionParts, Reporter, Retirer {
  /** Any name if absent, for a service that shows public data only. */
  readonly names?: LocalNames | undefined;
  /** In milliseconds. */
  readonly callTimeoutMs: number;
}

export interface ServiceParts
  extends Market, AppParts, StoreUser, ChainController, FieldJudge, ScenarioReader, WebhookSender, ReportReceiver {
  readonly store: Store;
  readonly clock: SharedClock;
  /** Plain data, from which a network continues. */
  readonly snapshot: () => Promise<object>;
}
