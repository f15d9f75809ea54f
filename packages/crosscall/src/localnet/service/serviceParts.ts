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

// Parts of the service, in addition to those of the market. A function takes only the parts that it needs.

export interface KeyHolder {
  readonly keys: KeyRing;
}

export interface AdminKeyHolder {
  readonly adminKey: string;
}

export interface DefaultKeyHolder {
  /** API key to use for HTTP requests without a key. */
  readonly defaultApiKey?: string | undefined;
}

export interface TokenSigner {
  /** Secret that signs access tokens. All processes on a database use the same secret. */
  readonly networkSecret: string;
}

export interface RateLimiter {
  /** Limits of keys without their own limits, and of addresses without a key. */
  readonly limits: KeyLimits;
}

export interface Retirer {
  /** Whether retired endpoints keep working. */
  readonly keepsRetired?: boolean | undefined;
}

export interface FieldJudge {
  /** Whether fields that have no effect are rejected. */
  readonly strict?: boolean | undefined;
}

/** Controls of the network's chains, by chain id. */
export interface ChainController {
  readonly chainControls: ReadonlyMap<number, ChainControls>;
}

export interface ScenarioReader {
  readonly scenarios: KnownScenarios;
}

export interface WebhookSender {
  readonly webhooks: WebhookSettings;
}

/** Forwards the reports of callers. */
export interface ReportReceiver {
  readonly reports: Reports;
}

export interface AdmissionParts extends KeyHolder, AdminKeyHolder, DefaultKeyHolder, TokenSigner, RateLimiter, Timed {}

export interface AppParts extends AdmissionParts, Reporter, Retirer {
  /** Allowed host names; all by default, for a service with public data only. */
  readonly names?: LocalNames | undefined;
  /** In milliseconds. */
  readonly callTimeoutMs: number;
}

export interface ServiceParts
  extends Market, AppParts, StoreUser, ChainController, FieldJudge, ScenarioReader, WebhookSender, ReportReceiver {
  readonly store: Store;
  readonly clock: SharedClock;
  /** Takes a snapshot as plain data, from which a network can resume. */
  readonly snapshot: () => Promise<object>;
}
