import * as Type from "typebox";

import type { Clock } from "@crosscall/sdk/internal/core/clock";
import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import type { LogLevel } from "@crosscall/sdk/internal/core/logLevel";
import { findMismatch } from "@crosscall/sdk/internal/protocol/schema/findMismatch";
import { CHAIN_LIMITS, requireBetween } from "../devchain/chainLimits.ts";
import { type ChainOptions, type Protocol, PROTOCOLS } from "../devchain/options.ts";
import { checkKeyOptions, type KeyOptions } from "../service/keys/keyOptions.ts";
import { checkWebhookOptions, type WebhookOptions } from "../service/webhooks/settings.ts";
import { withoutPassword } from "../store/databases/withoutPassword.ts";
import { DEFAULT_CHAINS, LOCAL_ADMIN_KEY, LOCAL_API_KEY, QUOTE_TTL_MS, type TwoOrMore } from "./defaults.ts";

/** Options of `localnet`. All have defaults. */
export interface LocalnetOptions {
  /** The chains; 31337 and 31338 in this process when left out. */
  readonly chains?: readonly ChainOptions[];
  /** Protocols that are deployed on every chain beside Uniswap v3, which always is; none when left out. */
  readonly protocols?: readonly Protocol[];
  /** A folder that keeps the database over restarts; memory when left out. */
  readonly databaseFolder?: string;
  /**
   * URL of a PostgreSQL database to keep the requests in, in place of a folder: `postgres://user@host:port/database`.
   * Networks with the same database and the same chains share their work.
   */
  readonly databaseUrl?: string;
  /**
   * How many months of requests are kept, the present one among them; all when left out. A month in which a request is
   * not over stays.
   */
  readonly retentionMonths?: number;
  /**
   * How many days an event of a webhook is kept after its delivery; as long as its request when left out. What could not
   * be delivered stays as long in any case.
   */
  readonly deliveryRetentionDays?: number;
  /** Port of the service on loopback; a free one when left out. */
  readonly port?: number;
  /** Whether attestation oracles are started, two that are peers; true when left out. */
  readonly oracle?: boolean;
  /** Port of the oracle on loopback; a free one when left out. */
  readonly oraclePort?: number;
  /** Keys that may list requests, all of one integrator. */
  readonly apiKeys?: readonly string[];
  /** Keys of another integrator, for tests of who may see and filter what. */
  readonly otherApiKeys?: readonly string[];
  /** Which of all these keys may sponsor fees; none when left out. */
  readonly sponsoringApiKeys?: readonly string[];
  /** What each sponsoring key has to spend at first, in whole US dollars; 1000 when left out. */
  readonly sponsorBalanceUsd?: number;
  /** Further keys, with what they may do. Keys can also be added while the network runs. */
  readonly keys?: readonly KeyOptions[];
  /**
   * Whether calls are limited: `off`, or the live service's `documented` limits of 50 quotes, 200 calls of the v3
   * listing and 200 other calls a minute for each key, and for each address that sends none. Off when left out, so that
   * tests can call as fast as they like; `crosscall up` limits. A key's own limits hold in both cases, and so does the
   * shrinking limit of the v2 listing.
   */
  readonly limits?: "documented" | "off";
  /** How long a caller may take to send a call to the service, in milliseconds; 10,000 when left out. */
  readonly callTimeoutMs?: number;
  /** How webhooks are sent, and where they may go. */
  readonly webhooks?: WebhookOptions;
  /** The key that the controls of the network (`/admin/…`) take. */
  readonly adminKey?: string;
  /**
   * How far the amount that a fill delivers lies from the quoted one, in bps, from -10000 to 10000. It never falls
   * below the quoted minimum, and an exact output stays exact.
   */
  readonly deliveryBps?: number;
  /** How long an order can be filled after its quote, in milliseconds: whole seconds; an hour when left out. */
  readonly quoteTtlMs?: number;
  /** How long a deposit may take from its announcement to its confirmation, in milliseconds; ten minutes when left out. */
  readonly depositTimeoutMs?: number;
  /** How long a fill may take from its signing to its block, in milliseconds; ten minutes when left out. */
  readonly inclusionTimeoutMs?: number;
  readonly logLevel?: LogLevel;
  readonly clock?: Clock;
}

const QUOTE_TTL_HINT = "Pass for example 30000 for half a minute.";
const FORK_BLOCK_HINT = "Pass a block number together with forkUrl, or omit it.";

/** The values that an option accepts, and what to do about others. */
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
  deliveryBps: wholeNumber(-10_000, 10_000, "Pass for example -25 for 0.25 % less than quoted."),
  quoteTtlMs: wholeNumber(1_000, Number.MAX_SAFE_INTEGER, QUOTE_TTL_HINT),
  port,
  oraclePort: port,
  retentionMonths: wholeNumber(1, 1_200, "Pass for example 12, or omit it to keep all requests."),
  deliveryRetentionDays: wholeNumber(1, 36_500, "Pass for example 30, or omit it to keep all events."),
} satisfies Partial<Record<keyof LocalnetOptions, OptionRule>>;

const CHAIN_RULES = {
  id: { ...wholeNumber(1, Number.MAX_SAFE_INTEGER, "Pass a chain id, for example 31337."), isRequired: true },
  depositConfirmations: wholeNumber(0, Number.MAX_SAFE_INTEGER, "Pass a number of blocks, for example 2."),
  forkBlock: wholeNumber(0, Number.MAX_SAFE_INTEGER, FORK_BLOCK_HINT),
  latencyMs: wholeNumber(0, CHAIN_LIMITS.latencyMs, "Pass milliseconds, for example 500."),
} satisfies Partial<Record<keyof ChainOptions, OptionRule>>;

/**
 * Checks the options before anything is started.
 *
 * @returns the chains of the network
 * @throws {@link InvalidInputError} naming the option
 */
export function checkOptions(options: LocalnetOptions): TwoOrMore<ChainOptions> {
  const { chains = DEFAULT_CHAINS, protocols = [] } = options;
  const { apiKeys = [LOCAL_API_KEY], otherApiKeys = [], adminKey = LOCAL_ADMIN_KEY } = options;
  checkRules(OPTION_RULES, options);
  requireThat(
    adminKey !== "" && ![...apiKeys, ...otherApiKeys].includes(adminKey),
    "adminKey",
    adminKey,
    "must not be empty or an API key",
    "Use another key, or omit adminKey.",
  );
  requireThat(
    apiKeys.length > 0 && apiKeys.every((key) => key !== ""),
    "apiKeys",
    apiKeys,
    "there must be a key, and none may be empty",
    "Pass a key, or omit apiKeys.",
  );
  requireThat(
    otherApiKeys.every((key) => key !== "" && !apiKeys.includes(key)),
    "otherApiKeys",
    otherApiKeys,
    "none may be empty or stand in apiKeys, too",
    "Pass other keys, or omit otherApiKeys.",
  );
  const { sponsoringApiKeys = [], quoteTtlMs = QUOTE_TTL_MS } = options;
  requireThat(
    sponsoringApiKeys.every((key) => apiKeys.includes(key) || otherApiKeys.includes(key)),
    "sponsoringApiKeys",
    sponsoringApiKeys,
    "each must stand in apiKeys or otherApiKeys",
    "Pass keys of the network, or omit sponsoringApiKeys.",
  );
  checkWebhookOptions(options.webhooks ?? {});
  checkKeyOptions(options.keys ?? [], [...apiKeys, ...otherApiKeys, adminKey]);
  for (const [index, chain] of chains.entries()) {
    const { id, rpcUrl } = chain;
    const field = `chains[${index}]`;
    checkRules(CHAIN_RULES, chain, `${field}.`);
    checkChain(chain, field);
    requireThat(
      chains.findIndex((other) => other.id === id) === index,
      `${field}.id`,
      id,
      "two chains have this id",
      "Use a different id for each chain.",
    );
    requireThat(
      rpcUrl === undefined || isHttpUrl(rpcUrl),
      `${field}.rpcUrl`,
      rpcUrl,
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
  requireDatabase(options);
  for (const protocol of protocols) {
    requireThat(PROTOCOLS.includes(protocol), "protocols", protocol, "is unknown", `Use ${PROTOCOLS.join(", ")}.`);
  }
  const [first, second, ...others] = chains;
  if (first !== undefined && second !== undefined) return [first, second, ...others];
  throw new InvalidInputError({
    field: "chains",
    value: chains.length,
    reason: "a network has two chains at least",
    hint: "Name two chains.",
  });
}

function requireDatabase({ databaseFolder, databaseUrl }: LocalnetOptions): void {
  if (databaseUrl === undefined) return;
  const { protocol, host } = URL.canParse(databaseUrl) ? new URL(databaseUrl) : { protocol: "", host: "" };
  requireThat(
    protocol === "postgres:" || protocol === "postgresql:",
    "databaseUrl",
    // What names no host may hold a password all the same.
    host === "" ? "(hidden)" : withoutPassword(databaseUrl),
    "must be the URL of a PostgreSQL database",
    "Pass for example postgres://user:password@127.0.0.1:5432/crosscall.",
  );
  requireThat(
    databaseFolder === undefined,
    "databaseFolder",
    databaseFolder,
    "databaseUrl names a database, too",
    "Pass one of the two.",
  );
}

function checkChain({ rpcUrl, forkUrl, forkBlock, miningIntervalMs = 0 }: ChainOptions, field: string): void {
  requireThat(
    forkUrl === undefined || isHttpUrl(forkUrl),
    `${field}.forkUrl`,
    forkUrl,
    "must be an HTTP URL",
    "Pass the JSON-RPC URL of the chain to fork.",
  );
  requireThat(
    forkUrl === undefined || rpcUrl === undefined,
    `${field}.forkUrl`,
    forkUrl,
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
  const { minimumIntervalMs, intervalMs } = CHAIN_LIMITS;
  if (miningIntervalMs !== 0)
    requireBetween(`${field}.miningIntervalMs`, miningIntervalMs, minimumIntervalMs, intervalMs);
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
