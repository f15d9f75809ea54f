import type { Clock, LogLevel } from "@crosscall/protocol/core";
import type { LocalRouterVersion } from "@crosscall/protocol/generations";
import type { ChainOptions, Protocol, TokenOptions } from "./devchain/options.ts";
import type { KeyOptions } from "./service/keys/keyOptions.ts";
import type { WebhookOptions } from "./service/webhooks/settings.ts";
import type { NetworkSnapshot } from "./snapshot/networkSnapshot.ts";

/** Options of `localnet`. All have defaults. */
export interface LocalnetOptions {
  /** Chains to run or use. By default, 31337 and 31338 in this process, or the most used live chains with `like`. */
  readonly chains?: readonly ChainOptions[];
  /**
   * `mainnet` gives chains the ids, names, explorers, native currencies, token addresses, block times and gas prices of
   * live chains, for programs that name them.
   */
  readonly like?: "mainnet";
  /**
   * Additional tokens at given addresses. The network places its own token where the chain has no contract; a fork
   * keeps the existing contract.
   */
  readonly tokens?: readonly TokenOptions[];
  /** Protocols to deploy on every chain in addition to Uniswap v3. */
  readonly protocols?: readonly Protocol[];
  /** Generation of the router and approval proxy on every chain; by default, the generation that the service uses. */
  readonly router?: LocalRouterVersion;
  /**
   * Whether to run Solana, chain 792703809, in this process: with programs, transactions and a JSON-RPC API. False by
   * default, which only simulates the chain. Requires the package `litesvm`.
   */
  readonly svm?: boolean;
  /** Folder to store the database in; in memory by default. */
  readonly databaseFolder?: string;
  /**
   * PostgreSQL database to use instead of a folder: `postgres://user@host:port/database`. Networks with the same
   * database and chains share their work.
   */
  readonly databaseUrl?: string;
  /** Months of requests to keep, including the current one; all by default. Months with unfinished requests stay. */
  readonly retentionMonths?: number;
  /** Days to keep delivered webhook events. By default, they are kept as long as their request. */
  readonly deliveryRetentionDays?: number;
  /**
   * Role of this process: `service` runs only the HTTP API and the console, `worker` only fills, refunds and webhooks.
   * By default, the process does both. Requires `databaseUrl`, and `rpcUrl` for each chain.
   */
  readonly role?: "service" | "worker";
  /** Port of the service; a free one by default. */
  readonly port?: number;
  /**
   * IP address on which the service and the in-process chains listen, such as `0.0.0.0` in a container; loopback by
   * default. Anyone who can reach this address can use the public API, and can change the chains through a host name in
   * `hosts`.
   */
  readonly listen?: string;
  /** Whether to start two attestation oracles as peers; true by default. */
  readonly oracle?: boolean;
  /** Loopback port of the oracle; a free one by default. */
  readonly oraclePort?: number;
  /** API keys of one integrator. */
  readonly apiKeys?: readonly string[];
  /** API keys of another integrator, for tests of access rights. */
  readonly otherApiKeys?: readonly string[];
  /** API key to use for HTTP requests without a key; none by default. Published clients send no key to a local URL. */
  readonly defaultApiKey?: string;
  /** Keys that may sponsor fees; none by default. */
  readonly sponsoringApiKeys?: readonly string[];
  /** Initial balance of each sponsoring key in whole US dollars; 1,000 by default. */
  readonly sponsorBalanceUsd?: number;
  /** Additional keys with their settings. Keys can also be added at runtime. */
  readonly keys?: readonly KeyOptions[];
  /**
   * Rate limits: `off`, or the live service's `documented` limits. Per address without a key, these are 50 quotes and
   * 200 other requests per minute. Per key, they are 10 quotes, 10 listings and 10 transaction statuses per second, and
   * 200 other requests per minute. `off` by default; `crosscall up` uses `documented`. The own limits of a key and the
   * shrinking limit of the v2 listing always apply.
   */
  readonly limits?: "documented" | "off";
  /**
   * Whether endpoints that the live service has retired keep working, such as `GET /requests/v2` after 24 November
   * 2026. By default, they return 410 after their last day by the service's clock.
   */
  readonly keepsRetired?: boolean;
  /**
   * Whether the service rejects fields of quote requests that have no effect here, including unknown fields. By
   * default, the service ignores these fields, as the live service does, and names them in the header
   * `x-crosscall-ignored`.
   */
  readonly strict?: boolean;
  /** Timeout for a caller to send an HTTP request, in milliseconds; 10,000 by default. */
  readonly callTimeoutMs?: number;
  /** Delivery and allowed targets of webhooks. */
  readonly webhooks?: WebhookOptions;
  /** Key for the admin endpoints (`/admin/…`); random by default. */
  readonly adminKey?: string;
  /**
   * Additional host names under which the network is reachable, such as a proxy's, and whose pages may call its chains.
   * Requests under other host names, and calls to the chains from other websites, are rejected. None by default.
   */
  readonly hosts?: readonly string[];
  /**
   * Whether the web console can change the network under `hosts`. By default, the console is read-only under these
   * names.
   */
  readonly consoleAdmin?: boolean;
  /**
   * Deviation of delivered amounts from the quote in bps, from -10000 to 10000. Amounts never fall below the quoted
   * minimum, and an exact output stays exact.
   */
  readonly deliveryBps?: number;
  /**
   * Solver's charge for moving funds back between chains, in bps of the input of cross-chain requests, from 0 to 1000;
   * 0 by default. The charge is part of the swap fee.
   */
  readonly rebalancingBps?: number;
  /** Time for which an order can be filled after its quote, in milliseconds (whole seconds); one hour by default. */
  readonly quoteTtlMs?: number;
  /**
   * Time to watch a deposit address after its quote, last payment or last reindex, in milliseconds of the service's
   * clock; 30 days by default.
   */
  readonly depositAddressTtlMs?: number;
  /** Timeout from a deposit's announcement to its confirmation, in milliseconds; ten minutes by default. */
  readonly depositTimeoutMs?: number;
  /** Timeout from a fill's signature to its inclusion, in milliseconds; ten minutes by default. */
  readonly inclusionTimeoutMs?: number;
  readonly logLevel?: LogLevel;
  readonly clock?: Clock;
  /**
   * Snapshot to start from, in a new database. Options given here replace those of the saved network, but its chains
   * keep their settings, except `rpcPort`. A forked chain requires its `forkUrl` again if the URL has credentials.
   */
  readonly from?: NetworkSnapshot;
}
