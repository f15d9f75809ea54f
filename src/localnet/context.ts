import type { Hex, LocalAccount } from "viem";

import type { Store } from "../store/store.ts";
import type { ChainControls } from "./chains/chainControls.ts";
import type { ChainClient } from "./chains/chainClient.ts";
import type { ChainContracts } from "./chains/contracts.ts";
import type { Pool } from "./chains/pools.ts";
import type { CurrencyTable } from "./currencies.ts";
import type { KeyLimits } from "./keys/keyLimits.ts";
import type { KeyRing } from "./keys/keyRing.ts";
import type { Log } from "./log.ts";
import type { KnownScenarios } from "./scenarios/followScenarios.ts";
import type { Faults } from "./solver/faults.ts";
import type { SettableClock } from "./settableClock.ts";
import type { WebhookSettings } from "./webhooks/settings.ts";

/** A chain that the service works on. */
export interface ServiceChain {
  readonly id: number;
  readonly name: string;
  /** The chain's name in orders. */
  readonly protocolChainId: string;
  readonly rpcUrl: string;
  readonly client: ChainClient;
  readonly contracts: ChainContracts;
  /** How many blocks must stand on a deposit's block before it is taken. */
  readonly depositConfirmations: number;
  /** Where its tokens are swapped. */
  readonly pools: readonly Pool[];
}

/** What the service and its solver work with: everything that comes from outside. */
export interface ServiceContext {
  readonly store: Store;
  readonly chains: ReadonlyMap<number, ServiceChain>;
  /** What can be done to each of the chains. */
  readonly chainControls: ReadonlyMap<number, ChainControls>;
  readonly currencies: CurrencyTable;
  /** The service's wallet on every chain. */
  readonly solver: LocalAccount;
  readonly clock: SettableClock;
  /** 32 random bytes. */
  readonly randomWord: () => Hex;
  /** The API keys that the service takes. */
  readonly keys: KeyRing;
  /** What a key may call that has no limit of its own, and an address that sends no key. */
  readonly limits: KeyLimits;
  /** The key that the controls of the network take. */
  readonly adminKey: string;
  /** How far a fill's amount lies from the quoted one, in bps; never below the minimum, and never for EXACT_OUTPUT. */
  readonly deliveryBps: number;
  /** What goes otherwise than it should, request by request. */
  readonly faults: Faults;
  /** How long an order can be filled after its quote, in milliseconds. */
  readonly quoteTtlMs: number;
  /** What tests set to go wrong. */
  readonly scenarios: KnownScenarios;
  /** How long a deposit may take from its announcement to its confirmation, in milliseconds. */
  readonly depositTimeoutMs: number;
  /** How long a fill may take from its signing to its block, in milliseconds; it is given up then. */
  readonly inclusionTimeoutMs: number;
  /** How webhooks are sent. */
  readonly webhooks: WebhookSettings;
  /** How long a caller may take to send a call, in milliseconds. */
  readonly callTimeoutMs: number;
  readonly log: Log;
}
