import { isIP } from "node:net";

import { isAddress } from "viem";
import * as Type from "typebox";

import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError } from "@crosscall/protocol/core";
import { LOCAL_ROUTER_VERSIONS } from "@crosscall/protocol/generations";
import { checkChain } from "./checkChain.ts";
import { findLiveChain } from "./devchain/liveChains.ts";
import { givenTokens, LIVE_CHAIN_OPTIONS, likeLive } from "./devchain/likeMainnet.ts";
import { hasPoolPrices, missingPrice } from "./devchain/poolPrices.ts";
import { type ChainOptions, PROTOCOLS, type TokenOptions } from "./devchain/options.ts";
import { checkRules, type OptionRule, port, requireThat, wholeNumber } from "./optionRules.ts";
import { checkKeyOptions } from "./service/keys/keyOptions.ts";
import { checkWebhookOptions, type WebhookSettings } from "./service/webhooks/settings.ts";
import { withoutPassword } from "./store/databases/openDatabase.ts";
import { DEFAULT_CHAINS, LOCAL_API_KEY, QUOTE_TTL_MS, ROLES, type TwoOrMore } from "./defaults.ts";
import type { LocalnetOptions } from "./options.ts";

const QUOTE_TTL_HINT = "Pass milliseconds, for example 30000 for 30 seconds.";

const timeout = wholeNumber(1, Number.MAX_SAFE_INTEGER, "Pass milliseconds, for example 60000.");

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

const OPTION_NAMES = {
  chains: 1,
  like: 1,
  tokens: 1,
  protocols: 1,
  router: 1,
  databaseFolder: 1,
  databaseUrl: 1,
  retentionMonths: 1,
  deliveryRetentionDays: 1,
  role: 1,
  svm: 1,
  port: 1,
  listen: 1,
  oracle: 1,
  oraclePort: 1,
  apiKeys: 1,
  otherApiKeys: 1,
  defaultApiKey: 1,
  sponsoringApiKeys: 1,
  sponsorBalanceUsd: 1,
  keys: 1,
  limits: 1,
  keepsRetired: 1,
  strict: 1,
  callTimeoutMs: 1,
  webhooks: 1,
  adminKey: 1,
  hosts: 1,
  consoleAdmin: 1,
  deliveryBps: 1,
  rebalancingBps: 1,
  quoteTtlMs: 1,
  depositAddressTtlMs: 1,
  depositTimeoutMs: 1,
  inclusionTimeoutMs: 1,
  logLevel: 1,
  clock: 1,
  from: 1,
} as const;

const TOKEN_NAMES = { chainId: 1, address: 1, symbol: 1, decimals: 1, priceUsd: 1 } as const;

/**
 * Checks the options before anything starts.
 *
 * @throws {@link InvalidInputError} naming the option
 */
export function checkOptions(options: LocalnetOptions): CheckedOptions {
  rejectUnknownOptions(options, OPTION_NAMES);
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
    const field = `chains[${index}]`;
    checkChain(chain, field);
    requireThat(
      chains.findIndex(({ id }) => id === chain.id) === index,
      `${field}.id`,
      chain.id,
      "is used by two chains",
      "Use a different id for each chain.",
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
    rejectUnknownOptions(token, TOKEN_NAMES, `${field}.`);
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
    requireThat(!isKnown, `${field}.address`, address, "the network already has this token", "Omit it.");
  }
  for (const { id, forkUrl } of chains) {
    // Other missing prices are read from the pools of the fork.
    if (forkUrl !== undefined && hasPoolPrices(id)) continue;
    for (const token of givenTokens(tokens, id))
      if (token.priceUsdE18 === undefined) throw missingPrice(token, "is not known");
  }
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

function isHostName(host: string): boolean {
  return (
    URL.canParse(`http://${host}`) && new URL(`http://${host}`).host === host.toLowerCase() && !/:\d+$/u.test(host)
  );
}
