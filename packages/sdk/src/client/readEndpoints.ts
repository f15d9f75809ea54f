import type { TSchema } from "typebox";

import { chainFamilyOf } from "@crosscall/protocol/chains";
import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError } from "@crosscall/protocol/core";
import {
  type BridgeConfig,
  BridgeConfigSchema,
  type ChainEntry,
  ChainEntrySchema,
  type CurrencyEntry,
  CurrencyEntrySchema,
  type LiquidityEntry,
  LiquidityEntrySchema,
  type UsageMetric,
  UsageMetricSchema,
} from "@crosscall/protocol/common";
import { type DepositAddressEntry, DepositAddressEntrySchema } from "@crosscall/protocol/request/records";
import {
  type RequestSignature,
  RequestSignatureSchema,
  type RequestSignatureV2,
  RequestSignatureV2Schema,
} from "@crosscall/protocol/request/signature";
import { readResponse } from "@crosscall/protocol/schema";
import * as T from "@crosscall/protocol/schema/type";
import { callService, type ServiceCall, type ServiceResponse } from "./callService.ts";
import { requireApiKey, type ServiceClient } from "./client.ts";
import { type GetChainsParameters, listChains } from "./listChains.ts";
import { encodeQuery, type QueryFields } from "./queryFields.ts";

/** Read endpoint. List entries are parsed individually, so that an invalid entry does not invalidate the list. */
interface Endpoint<Schema extends TSchema, Needed extends string> extends Pick<
  ServiceCall<Schema, Needed>,
  "path" | "schema" | "needs" | "secrets" | "requestId"
> {
  /** All parameters of the query. */
  readonly fields?: QueryFields;
  readonly required?: readonly string[];
  readonly needsKey?: boolean;
  /** Checks what `fields` cannot express. */
  readonly check?: (query: Readonly<Record<string, string>>) => unknown;
}

async function read<Schema extends TSchema, const Needed extends string = never>(
  client: ServiceClient,
  { fields = {}, required, needsKey = false, check, ...call }: Endpoint<Schema, Needed>,
  parameters: object,
  signal: AbortSignal | undefined,
): Promise<ServiceResponse<Schema, Needed>> {
  if (needsKey) requireApiKey(client, `GET ${call.path}`);
  const query = encodeQuery(fields, parameters, required);
  check?.(query);
  return callService(client, { ...call, method: "GET", query, signal });
}

const readChains = new WeakMap<readonly unknown[], readonly ChainEntry[]>();

/** Returns the chains of the service (`GET /chains`; spec 4, section 3). The client caches them for a few minutes. */
export async function getChains(
  client: ServiceClient,
  parameters: GetChainsParameters = {},
): Promise<readonly ChainEntry[]> {
  rejectUnknownOptions(parameters, { maxAgeMs: 1, signal: 1 });
  const list = await listChains(client, parameters);
  const chains = readChains.get(list) ?? list.map((entry) => readResponse(ChainEntrySchema, entry));
  readChains.set(list, chains);
  return chains;
}

/** Parameters of `getChainHealth`. */
export interface GetChainHealthParameters {
  /** Chain id. Defaults to all chains together. */
  readonly chainId?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns whether the service can currently use a chain, or all of its chains (`GET /chains/health`).
 *
 * @throws {@link InvalidInputError} when the chain id is malformed; no request is sent
 * @throws {@link MalformedDataError} when the response has no `healthy`
 * @throws {@link ServiceError} when the service does not support the chain
 */
export async function getChainHealth(
  client: ServiceClient,
  { signal, ...query }: GetChainHealthParameters = {},
): Promise<{ readonly healthy: boolean }> {
  return read(
    client,
    {
      path: "/chains/health",
      fields: { chainId: "whole number" },
      schema: T.Object({ healthy: T.Boolean() }),
      needs: ["healthy"],
    },
    query,
    signal,
  );
}

/** Parameters of `getChainLiquidity`. */
export interface GetChainLiquidityParameters {
  readonly chainId: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the solver's balances on a chain (`GET /chains/liquidity`). `balance` is in the smallest unit. An entry with
 * unreadable fields lists them in `unreadable`.
 *
 * @throws {@link InvalidInputError} when the chain id is malformed; no request is sent
 * @throws {@link MalformedDataError} when the response has no `liquidity`
 * @throws {@link ServiceError} when the service does not support the chain
 */
export async function getChainLiquidity(
  client: ServiceClient,
  { signal, ...query }: GetChainLiquidityParameters,
): Promise<readonly LiquidityEntry[]> {
  const { liquidity } = await read(
    client,
    {
      path: "/chains/liquidity",
      fields: { chainId: "whole number" },
      required: ["chainId"],
      schema: T.Object({ liquidity: T.Array(T.Unknown()) }),
      needs: ["liquidity"],
    },
    query,
    signal,
  );
  return liquidity.map((entry) => readResponse(LiquidityEntrySchema, entry));
}

/** Parameters of `getConfig`. */
export interface GetConfigParameters {
  readonly originChainId: number;
  readonly destinationChainId: number;
  /** Account on the origin chain, to return its balance. */
  readonly user?: string;
  /** Currency id, such as `usdc`. Defaults to the native currency of the destination chain. */
  readonly currency?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the maximum amount of a route, and its fee (`GET /config/v2`). Amounts are in the smallest unit. This
 * endpoint is deprecated: prefer `getQuote` for an amount and `getChainLiquidity` for balances.
 *
 * @throws {@link InvalidInputError} when a parameter is malformed; no request is sent
 * @throws {@link ServiceError} when the service does not support the route or the currency
 */
export async function getConfig(
  client: ServiceClient,
  { signal, ...query }: GetConfigParameters,
): Promise<BridgeConfig> {
  const { originChainId, user } = query;
  return read(
    client,
    {
      path: "/config/v2",
      fields: { originChainId: "whole number", destinationChainId: "whole number", user: "text", currency: "text" },
      required: ["originChainId", "destinationChainId"],
      check: () => user !== undefined && chainFamilyOf(originChainId).parseAccount(user, "user"),
      schema: BridgeConfigSchema,
    },
    query,
    signal,
  );
}

/** Parameters of `getSwapSources`. */
export interface GetSwapSourcesParameters {
  /** Chain id. Defaults to all chains. */
  readonly chainId?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the names of swap sources (`GET /swap-sources`), for example for `includedOriginSwapSources` of a quote
 * request.
 *
 * @throws {@link InvalidInputError} when the chain id is malformed; no request is sent
 * @throws {@link MalformedDataError} when the response has no list of strings in `sources`
 * @throws {@link ServiceError} when the service does not support the chain
 */
export async function getSwapSources(
  client: ServiceClient,
  { signal, ...query }: GetSwapSourcesParameters = {},
): Promise<readonly string[]> {
  const { sources } = await read(
    client,
    {
      path: "/swap-sources",
      fields: { chainId: "whole number" },
      schema: T.Object({ sources: T.Array(T.String()) }),
      needs: ["sources"],
    },
    query,
    signal,
  );
  return sources;
}

/** Parameters of `getTokenPrice`. */
export interface GetTokenPriceParameters {
  readonly chainId: number;
  /** Address of the currency; the zero address for the native currency of EVM chains. */
  readonly address: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the price of a whole unit of a currency in US dollars (`GET /currencies/token/price`). The price is a number,
 * so use it only for display.
 *
 * @throws {@link InvalidInputError} when the chain id or the address is malformed; no request is sent
 * @throws {@link MalformedDataError} when the response has no price
 * @throws {@link ServiceError} when the service does not know the currency
 */
export async function getTokenPrice(
  client: ServiceClient,
  { signal, ...query }: GetTokenPriceParameters,
): Promise<number> {
  const { price } = await read(
    client,
    {
      path: "/currencies/token/price",
      fields: { chainId: "whole number", address: "text" },
      required: ["chainId", "address"],
      check: () => chainFamilyOf(query.chainId).parseCurrency(query.address, "address"),
      schema: T.Object({ price: T.Number() }),
      needs: ["price"],
    },
    query,
    signal,
  );
  return price;
}

/** Parameters of `getTrendingCurrencies`. */
export interface GetTrendingCurrenciesParameters {
  /** Chain id. Defaults to all chains. */
  readonly chainId?: number;
  /**
   * Ranking: purchases through the service in 24 hours, by number (the default) or value, or a market list of 6 hours.
   */
  readonly sortBy?: "relay24hBuyTxCount" | "relay24hBuyUsdVolume" | "coingecko6hTrending";
  /** Maximum number of currencies. */
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns currencies, most bought first (`GET /currencies/trending`). An entry with unreadable fields lists them in
 * `unreadable`.
 *
 * @throws {@link InvalidInputError} when a parameter is malformed; no request is sent
 * @throws {@link ServiceError} when the service rejects the request
 */
export async function getTrendingCurrencies(
  client: ServiceClient,
  { signal, ...query }: GetTrendingCurrenciesParameters = {},
): Promise<readonly CurrencyEntry[]> {
  const fields = { chainId: "whole number", sortBy: "text", limit: "whole number" } as const;
  const schema = T.Array(T.Unknown());
  const entries = await read(client, { path: "/currencies/trending", fields, schema }, query, signal);
  return entries.map((entry) => readResponse(CurrencyEntrySchema, entry));
}

/** Parameters of `getUsage`. */
export interface GetUsageParameters {
  /** Period: `minutely` covers 24 hours, `hourly` (the default) 7 days, and `daily` 14 days. */
  readonly granularity?: "minutely" | "hourly" | "daily";
  /** Start as a Date or Unix seconds. */
  readonly startTimestamp?: Date | number;
  /** End as a Date or Unix seconds. Defaults to now. */
  readonly endTimestamp?: Date | number;
  /** Your API keys, up to 50. Defaults to the client's key. Errors do not contain these keys. */
  readonly apiKey?: string | readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the number of requests of your API keys to each endpoint (`GET /metrics/usage`), by period and status. Do not
 * log the result, which contains the API keys.
 *
 * @throws {@link InvalidInputError} when the client has no API key or a parameter is malformed; no request is sent
 * @throws {@link MalformedDataError} when the response has no `metrics`
 * @throws {@link ServiceError} when the service rejects the request, for example because a key is not yours
 */
export async function getUsage(
  client: ServiceClient,
  { signal, ...query }: GetUsageParameters = {},
): Promise<readonly UsageMetric[]> {
  const { metrics } = await read(
    client,
    {
      path: "/metrics/usage",
      needsKey: true,
      fields: { granularity: "text", startTimestamp: "time", endTimestamp: "time", apiKey: "list" },
      secrets: [query.apiKey ?? []].flat(),
      schema: T.Object({ metrics: T.Array(T.Unknown()) }),
      needs: ["metrics"],
    },
    query,
    signal,
  );
  return metrics.map((metric) => readResponse(UsageMetricSchema, metric));
}

/** Parameters of `getDepositAddress`: the address, or the id of its request. */
export type GetDepositAddressParameters = (
  | { readonly address: string; readonly requestId?: never }
  | { readonly requestId: string; readonly address?: never }
) & { readonly signal?: AbortSignal | undefined };

/**
 * Returns a deposit address with its request (`GET /deposit-addresses/v1`).
 *
 * @throws {@link InvalidInputError} when the client has no API key, or both or neither parameter is set; no request is
 * sent
 * @throws {@link MalformedDataError} when the response has no `depositAddress` or `requestId`
 * @throws {@link ServiceError} with status 404 when the service does not know the address
 */
export async function getDepositAddress(
  client: ServiceClient,
  { signal, ...query }: GetDepositAddressParameters,
): Promise<DepositAddressEntry & { depositAddress: string; requestId: string }> {
  return read(
    client,
    {
      path: "/deposit-addresses/v1",
      needsKey: true,
      fields: { address: "text", requestId: "text" },
      check: requireOneParameter,
      schema: DepositAddressEntrySchema,
      needs: ["depositAddress", "requestId"],
      requestId: query.requestId,
    },
    query,
    signal,
  );
}

function requireOneParameter(query: Readonly<Record<string, string>>): void {
  if (Object.keys(query).length === 1) return;
  throw new InvalidInputError({
    field: "address",
    value: query.address,
    reason: "exactly one of address and requestId is required",
    hint: "Pass either address or requestId.",
  });
}

export interface GetSignatureParameters {
  readonly requestId: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the service's signature over a request (`GET /requests/{requestId}/signature`, spec 1, section 4.4). Verify
 * it with `verifySignature`.
 */
export function getSignature(client: ServiceClient, parameters: GetSignatureParameters): Promise<RequestSignature> {
  rejectUnknownOptions(parameters, { requestId: 1, signal: 1 });
  const { requestId, signal } = parameters;
  const path = `/requests/${encodeURIComponent(requestId)}/signature`;
  return read(client, { path, schema: RequestSignatureSchema, requestId }, {}, signal);
}

/**
 * Returns the second version of the service's signature over a request (`GET /requests/{requestId}/signature/v2`), with
 * the output currency instead of the input amount. Verify it with `verifySignatureV2`.
 *
 * @throws {@link ServiceError} when the service does not know the request
 */
export function getSignatureV2(client: ServiceClient, parameters: GetSignatureParameters): Promise<RequestSignatureV2> {
  rejectUnknownOptions(parameters, { requestId: 1, signal: 1 });
  const { requestId, signal } = parameters;
  const path = `/requests/${encodeURIComponent(requestId)}/signature/v2`;
  return read(client, { path, schema: RequestSignatureV2Schema, requestId }, {}, signal);
}
