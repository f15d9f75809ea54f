import { isIP } from "node:net";

import { isAddress } from "viem";
import * as Type from "typebox";

import { chainFamilyOf, isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import {
  BITCOIN_CHAIN_ID,
  EXCHANGE_CHAIN_ID,
  HYPERLIQUID_CHAIN_ID,
  SVM_CHAIN_ID,
  TRON_CHAIN_ID,
} from "@crosscall/protocol/chains/chainIds";
import { type Clock, InvalidInputError, type LogLevel } from "@crosscall/protocol/core";
import { LOCAL_ROUTER_VERSIONS, type LocalRouterVersion } from "@crosscall/protocol/generations";
import { findMismatch } from "@crosscall/protocol/schema";
import { CHAIN_LIMITS, requireBetween } from "./devchain/chainLimits.ts";
import { findLiveChain } from "./devchain/liveChains.ts";
import { givenTokens, LIVE_CHAIN_OPTIONS, likeLive } from "./devchain/likeMainnet.ts";
import { type ChainOptions, HARDFORKS, type Protocol, PROTOCOLS, type TokenOptions } from "./devchain/options.ts";
import { redactUrl } from "./redactUrl.ts";
import { checkKeyOptions, type KeyOptions } from "./service/keys/keyOptions.ts";
import { checkWebhookOptions, type WebhookOptions, type WebhookSettings } from "./service/webhooks/settings.ts";
import { withoutPassword } from "./store/databases/openDatabase.ts";
import type { NetworkSnapshot } from "./snapshot/networkSnapshot.ts";
import { DEFAULT_CHAINS, LOCAL_API_KEY, QUOTE_TTL_MS, ROLES, type TwoOrMore } from "./defaults.ts";

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
   * Rate limits: `off`, or the live service's `documented` limits per minute and key (or address without a key): 50
   * quotes, 200 requests to the v3 listing and 200 other requests. `off` by default; `crosscall up` uses `documented`.
   * Limits of a single key and the shrinking limit of the v2 listing always apply.
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

/** Ids of the simulated chains, which are part of every network. */
const SIMULATED_CHAIN_IDS: readonly number[] = [
  SVM_CHAIN_ID,
  EXCHANGE_CHAIN_ID,
  HYPERLIQUID_CHAIN_ID,
  BITCOIN_CHAIN_ID,
  TRON_CHAIN_ID,
];

const QUOTE_TTL_HINT = "Pass milliseconds, for example 30000 for 30 seconds.";
const FORK_BLOCK_HINT = "Pass a block number together with forkUrl, or omit it.";

interface OptionRule {
  readonly schema: Type.TSchema;
  readonly reason: string;
  readonly hint: string;
  readonly isRequired?: true;
}

const timeout = wholeNumber(1, Number.MAX_SAFE_INTEGER, "Pass milliseconds, for example 60000.");
const port = wholeNumber(0, 65_535, "Pass a port from 1 to 65535, or 0 for a free one.");

const OPTION_RULES = {
  callTimeoutMs: wholeNumber(1, 600_000, "Pass milliseconds, for example 10000."),
  sponsorBalanceUsd: wholeNumber(0, Number.MAX_SAFE_INTEGER, "Pass whole US dollars, for example 1000."),
  depositTimeoutMs: timeout,
  inclusionTimeoutMs: timeout,
  deliveryBps: wholeNumber(-10_000, 10_000, "Pass bps, for example -25 to deliver 0.25% less than quoted."),
  rebalancingBps: wholeNumber(0, 1_000, "Pass bps, for example 5 for 0.05% of the input."),
  quoteTtlMs: wholeNumber(1_000, Number.MAX_SAFE_INTEGER, QUOTE_TTL_HINT),
  depositAddressTtlMs: wholeNumber(1, 3_155_760_000_000, "Pass milliseconds, for example 2592000000 for 30 days."),
  port,
  oraclePort: port,
  retentionMonths: wholeNumber(1, 1_200, "Pass a number of months, for example 12, or omit it."),
  deliveryRetentionDays: wholeNumber(1, 36_500, "Pass a number of days, for example 30, or omit it."),
} satisfies Partial<Record<keyof LocalnetOptions, OptionRule>>;

const CHAIN_RULES = {
  id: { ...wholeNumber(1, Number.MAX_SAFE_INTEGER, "Pass a chain id, for example 31337."), isRequired: true },
  depositConfirmations: wholeNumber(0, Number.MAX_SAFE_INTEGER, "Pass a number of blocks, for example 2."),
  forkBlock: wholeNumber(0, Number.MAX_SAFE_INTEGER, FORK_BLOCK_HINT),
  rpcPort: port,
  latencyMs: wholeNumber(0, CHAIN_LIMITS.latencyMs, "Pass milliseconds, for example 500."),
  gasPriceGwei: {
    schema: Type.Number({ minimum: 0.000_001, maximum: 1_000_000 }),
    reason: "must be a gas price from 0.000001 to 1000000 gwei",
    hint: "Pass for example 0.01, or omit it.",
  },
} satisfies Partial<Record<keyof ChainOptions, OptionRule>>;

const TOKEN_RULES = {
  // The token stores its symbol in one word of 31 bytes.
  symbol: {
    schema: Type.String({ pattern: "^\\S{1,10}$" }),
    reason: "must be 1 to 10 characters without spaces",
    hint: "Pass for example USDC.",
    isRequired: true,
  },
  decimals: { ...wholeNumber(0, 36, "Pass the decimals, for example 6."), isRequired: true },
  priceUsd: {
    schema: Type.Number({ minimum: 1e-9, maximum: 1e12 }),
    reason: "must be a price in US dollars from 0.000000001 to 1e12",
    hint: "Pass for example 2500, or omit it for a known symbol.",
  },
} satisfies Partial<Record<keyof TokenOptions, OptionRule>>;

/** Chains and webhook settings from checked options. */
export interface CheckedOptions {
  readonly chains: TwoOrMore<ChainOptions>;
  readonly webhooks: Omit<WebhookSettings, "secretBox">;
}

/**
 * Checks the options before anything starts.
 *
 * @throws {@link InvalidInputError} naming the option
 */
export function checkOptions(options: LocalnetOptions): CheckedOptions {
  const { protocols = [], router } = options;
  const chains = chainsOf(options);
  const { apiKeys = [LOCAL_API_KEY], otherApiKeys = [], adminKey } = options;
  checkRules(OPTION_RULES, options);
  requireThat(
    adminKey === undefined || (adminKey !== "" && ![...apiKeys, ...otherApiKeys].includes(adminKey)),
    "adminKey",
    "(hidden)",
    "must not be empty or an API key",
    "Use another key, or omit adminKey.",
  );
  requireThat(
    apiKeys.length > 0 && apiKeys.every((key) => key !== ""),
    "apiKeys",
    apiKeys,
    "must contain at least one key, and no empty key",
    "Pass a key, or omit apiKeys.",
  );
  requireThat(
    otherApiKeys.every((key) => key !== "" && !apiKeys.includes(key)),
    "otherApiKeys",
    otherApiKeys,
    "must not contain empty keys or keys from apiKeys",
    "Pass other keys, or omit otherApiKeys.",
  );
  const { sponsoringApiKeys = [], quoteTtlMs = QUOTE_TTL_MS } = options;
  requireThat(
    sponsoringApiKeys.every((key) => apiKeys.includes(key) || otherApiKeys.includes(key)),
    "sponsoringApiKeys",
    sponsoringApiKeys,
    "must contain only keys from apiKeys or otherApiKeys",
    "Pass keys of the network, or omit sponsoringApiKeys.",
  );
  const { defaultApiKey, keys = [] } = options;
  requireThat(
    defaultApiKey === undefined ||
      [...apiKeys, ...otherApiKeys, ...keys.map(({ apiKey }) => apiKey)].includes(defaultApiKey),
    "defaultApiKey",
    "(hidden)",
    "must be in apiKeys, otherApiKeys or keys",
    "Pass a key of the network, or omit defaultApiKey.",
  );
  const { hosts = [] } = options;
  requireThat(
    hosts.every(isHostName),
    "hosts",
    hosts,
    "must contain host names without scheme and port",
    "Pass a host name, for example console.example.com.",
  );
  const webhooks = checkWebhookOptions(options.webhooks ?? {});
  checkKeyOptions(keys, [...apiKeys, ...otherApiKeys, ...(adminKey === undefined ? [] : [adminKey])]);
  for (const [index, chain] of chains.entries()) {
    const { id, rpcUrl } = chain;
    const field = `chains[${index}]`;
    checkRules(CHAIN_RULES, chain, `${field}.`);
    checkChain(chain, field);
    requireThat(
      chains.findIndex((other) => other.id === id) === index,
      `${field}.id`,
      id,
      "is used by two chains",
      "Use a different id for each chain.",
    );
    requireThat(
      rpcUrl === undefined || isHttpUrl(rpcUrl),
      `${field}.rpcUrl`,
      redactUrl(rpcUrl ?? ""),
      "must be an HTTP URL",
      "Pass the URL of a local node, for example http://127.0.0.1:8545.",
    );
  }
  requireThat(
    quoteTtlMs % 1_000 === 0,
    "quoteTtlMs",
    quoteTtlMs,
    "must be a multiple of 1000, because deadlines are in seconds",
    QUOTE_TTL_HINT,
  );
  checkTokens(options, chains);
  requireDatabase(options);
  requireRole(options, chains);
  const { listen } = options;
  requireThat(
    listen === undefined || isIP(listen) !== 0,
    "listen",
    listen,
    "must be an IP address",
    "Pass 0.0.0.0 for all addresses of this machine.",
  );
  for (const protocol of protocols) {
    requireThat(PROTOCOLS.includes(protocol), "protocols", protocol, "is unknown", `Use ${PROTOCOLS.join(", ")}.`);
  }
  requireThat(
    router === undefined || LOCAL_ROUTER_VERSIONS.includes(router),
    "router",
    router,
    "is unknown",
    `Use ${LOCAL_ROUTER_VERSIONS.join(" or ")}.`,
  );
  const [first, second, ...others] = chains;
  if (first !== undefined && second !== undefined) return { chains: [first, second, ...others], webhooks };
  throw new InvalidInputError({
    field: "chains",
    value: chains.length,
    reason: "must have at least two chains",
    hint: "Pass two chains.",
  });
}

const LIKENESSES: readonly string[] = ["mainnet"];

function chainsOf({ like, chains }: LocalnetOptions): readonly ChainOptions[] {
  if (like === undefined) return chains ?? DEFAULT_CHAINS;
  requireThat(LIKENESSES.includes(like), "like", like, "is unknown", 'Pass "mainnet", or omit it.');
  return (chains ?? LIVE_CHAIN_OPTIONS).map((chain, index) => likeLive(chain, `chains[${index}]`));
}

function checkTokens({ tokens = [], like }: LocalnetOptions, chains: readonly ChainOptions[]): void {
  for (const [index, token] of tokens.entries()) {
    const { chainId, address } = token;
    const field = `tokens[${index}]`;
    checkRules(TOKEN_RULES, token, `${field}.`);
    requireThat(
      chains.some(({ id }) => id === chainId),
      `${field}.chainId`,
      chainId,
      "is not a chain of the network",
      `Use ${chains.map(({ id }) => id).join(" or ")}.`,
    );
    const isEvm = isAddress(address, { strict: false }) && !isEvmNative(address);
    requireThat(
      isEvm,
      `${field}.address`,
      address,
      "is not the address of a contract",
      "Pass 20 bytes as hex with 0x.",
    );
    const live = like === undefined ? [] : (findLiveChain(chainId)?.tokens ?? []);
    const isKnown =
      live.some((known) => isSameAddress(known.address, address)) ||
      tokens.slice(0, index).some((other) => other.chainId === chainId && isSameAddress(other.address, address));
    requireThat(!isKnown, `${field}.address`, address, "the network has this token already", "Omit it.");
  }
  for (const { id } of chains) givenTokens(tokens, id);
}

function requireDatabase({ databaseFolder, databaseUrl }: LocalnetOptions): void {
  if (databaseUrl === undefined) return;
  const { protocol, host } = URL.canParse(databaseUrl) ? new URL(databaseUrl) : { protocol: "", host: "" };
  requireThat(
    protocol === "postgres:" || protocol === "postgresql:",
    "databaseUrl",
    // An invalid URL may still contain a password.
    host === "" ? "(hidden)" : withoutPassword(databaseUrl),
    "must be the URL of a PostgreSQL database",
    "Pass a URL, for example postgres://user:password@127.0.0.1:5432/crosscall.",
  );
  requireThat(
    databaseFolder === undefined,
    "databaseFolder",
    databaseFolder,
    "cannot be combined with databaseUrl",
    "Pass one of the two.",
  );
}

function requireRole({ role, databaseUrl }: LocalnetOptions, chains: readonly ChainOptions[]): void {
  if (role === undefined) return;
  requireThat(ROLES.includes(role), "role", role, "is unknown", `Use ${ROLES.join(" or ")}.`);
  const reason = "is required with a role, because processes with roles share a database and chains";
  requireThat(databaseUrl !== undefined, "databaseUrl", databaseUrl, reason, "Pass a PostgreSQL database.");
  for (const [index, { rpcUrl }] of chains.entries()) {
    requireThat(rpcUrl !== undefined, `chains[${index}].rpcUrl`, rpcUrl, reason, "Pass the URL of an anvil node.");
  }
}

function checkChain(chain: ChainOptions, field: string): void {
  const {
    id,
    rpcUrl,
    rpcPort,
    forkUrl,
    forkBlock,
    miningIntervalMs = 0,
    blockTimeMs = 0,
    gasPriceGwei,
    hardfork,
  } = chain;
  const { name } = chainFamilyOf(id);
  requireThat(
    name === "evm" || name === "unknown",
    `${field}.id`,
    id,
    `is a chain of family ${name}, which the network ${SIMULATED_CHAIN_IDS.includes(id) ? "simulates already" : "does not serve"}`,
    "Pass the id of an EVM chain, or one of your own.",
  );
  requireThat(
    hardfork === undefined || HARDFORKS.includes(hardfork),
    `${field}.hardfork`,
    hardfork,
    "is unknown",
    `Use ${HARDFORKS.join(", ")}.`,
  );
  requireThat(
    hardfork === undefined || rpcUrl === undefined,
    `${field}.hardfork`,
    hardfork,
    "must not be combined with rpcUrl",
    "Start the node at rpcUrl with the hardfork.",
  );
  requireThat(
    forkUrl === undefined || isHttpUrl(forkUrl),
    `${field}.forkUrl`,
    redactUrl(forkUrl ?? ""),
    "must be an HTTP URL",
    "Pass the JSON-RPC URL of the chain to fork.",
  );
  requireThat(
    rpcPort === undefined || rpcUrl === undefined,
    `${field}.rpcPort`,
    rpcPort,
    "must not be set together with rpcUrl",
    "Omit it: the node at rpcUrl has its own port.",
  );
  requireThat(
    forkUrl === undefined || rpcUrl === undefined,
    `${field}.forkUrl`,
    redactUrl(forkUrl ?? ""),
    "must not be combined with rpcUrl",
    "Pass rpcUrl or forkUrl; the node at rpcUrl may be a fork itself.",
  );
  requireThat(
    forkBlock === undefined || forkUrl !== undefined,
    `${field}.forkBlock`,
    forkBlock,
    "must not be set without forkUrl",
    FORK_BLOCK_HINT,
  );
  requireThat(
    rpcUrl === undefined || (blockTimeMs === 0 && gasPriceGwei === undefined),
    blockTimeMs === 0 ? `${field}.gasPriceGwei` : `${field}.blockTimeMs`,
    blockTimeMs === 0 ? gasPriceGwei : blockTimeMs,
    "must not be combined with rpcUrl",
    "Start the node at rpcUrl with it.",
  );
  requireThat(
    miningIntervalMs === 0 || blockTimeMs === 0,
    `${field}.blockTimeMs`,
    blockTimeMs,
    "must not be combined with miningIntervalMs",
    "Pass one of the two.",
  );
  const { minimumIntervalMs, intervalMs } = CHAIN_LIMITS;
  for (const [name, value] of Object.entries({ miningIntervalMs, blockTimeMs })) {
    if (value !== 0) requireBetween(`${field}.${name}`, value, minimumIntervalMs, intervalMs);
  }
}

function isHostName(host: string): boolean {
  return (
    URL.canParse(`http://${host}`) && new URL(`http://${host}`).host === host.toLowerCase() && !/:\d+$/u.test(host)
  );
}

function isHttpUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/u.test(new URL(url).protocol);
}

function wholeNumber(minimum: number, maximum: number, hint: string): OptionRule {
  const schema = Type.Integer({ minimum, maximum });
  return { schema, reason: `must be a whole number from ${minimum} to ${maximum}`, hint };
}

function checkRules(rules: Readonly<Record<string, OptionRule>>, options: object, prefix = ""): void {
  for (const [name, { schema, reason, hint, isRequired }] of Object.entries(rules)) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined && isRequired === undefined) continue;
    requireThat(findMismatch(schema, value) === undefined, `${prefix}${name}`, value, reason, hint);
  }
}

function requireThat(holds: boolean, field: string, value: unknown, reason: string, hint: string): void {
  if (!holds) throw new InvalidInputError({ field, value, reason, hint });
}
