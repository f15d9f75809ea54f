import type { Clock } from "@crosscall/sdk/internal/core/clock";
import type { ChainControls } from "../devchain/chainControls.ts";
import type { Log } from "../log.ts";
import type { Market } from "../market/market.ts";
import type { Reports } from "../market/reports.ts";
import type { KnownScenarios } from "../scenarios/followScenarios.ts";
import type { Store } from "../store/store.ts";
import type { KeyLimits } from "./keys/keyLimits.ts";
import type { KeyRing } from "./keys/keyRing.ts";
import type { SettableClock } from "./settableClock.ts";
import type { WebhookSettings } from "./webhooks/settings.ts";

/** What decides who may call. */
export interface AdmissionParts {
  /** The API keys that the service accepts. */
  readonly keys: KeyRing;
  /** Limits of keys without their own, and of addresses that send no key. */
  readonly limits: KeyLimits;
  /** The key of the network's controls. */
  readonly adminKey: string;
  readonly clock: Clock;
}

/** What an application needs of its service. */
export interface AppParts extends AdmissionParts {
  readonly log: Log;
  /** How long a caller may take to send a call, in milliseconds. */
  readonly callTimeoutMs: number;
}

/** What the service works with. */
export interface ServiceParts extends Market, AppParts {
  readonly store: Store;
  readonly clock: SettableClock;
  readonly chainControls: ReadonlyMap<number, ChainControls>;
  /** The scenarios that are set. */
  readonly scenarios: KnownScenarios;
  readonly webhooks: WebhookSettings;
  readonly reports: Reports;
}
