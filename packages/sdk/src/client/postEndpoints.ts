import { chainFamilyOf } from "@crosscall/protocol/chains";
import { requireAmount } from "@crosscall/protocol/encoding";
import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError, MalformedDataError } from "@crosscall/protocol/core";
import { AccessTokenSchema, type CurrencyEntry, CurrencyEntrySchema, MessageSchema } from "@crosscall/protocol/common";
import { type ReindexResult, ReindexResultSchema } from "@crosscall/protocol/request/records";
import { readResponse } from "@crosscall/protocol/schema";
import * as T from "@crosscall/protocol/schema/type";
import { callService } from "./callService.ts";
import { requireApiKey, type ServiceClient } from "./client.ts";
import { checkBody } from "./queryFields.ts";

export interface AnnounceDepositParameters {
  readonly chainId: number;
  readonly txHash: string;
  readonly requestId?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Announces a deposit, so that the service need not search for it (`POST /transactions/index`). */
export async function announceDeposit(client: ServiceClient, parameters: AnnounceDepositParameters): Promise<void> {
  rejectUnknownOptions(parameters, { chainId: 1, txHash: 1, requestId: 1, signal: 1 });
  const { signal, ...body } = parameters;
  await callService(client, {
    method: "POST",
    path: "/transactions/index",
    body,
    schema: MessageSchema,
    requestId: body.requestId,
    signal,
  });
}

/** Parameters of `announceTransaction`. */
export interface AnnounceTransactionParameters {
  readonly requestId: string;
  readonly chainId: number;
  readonly txHash: string;
  /** The transaction in the step: `data` of its item. */
  readonly transaction: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Announces the user's transaction of a same-chain request to the service (`POST /transactions/single`). Use
 * `announceDeposit` for requests between chains.
 *
 * @throws {@link InvalidInputError} when a parameter is malformed; no request is sent
 * @throws {@link ServiceError} when the service does not know the request
 */
export async function announceTransaction(
  client: ServiceClient,
  parameters: AnnounceTransactionParameters,
): Promise<void> {
  rejectUnknownOptions(parameters, { requestId: 1, chainId: 1, txHash: 1, transaction: 1, signal: 1 });
  const { signal, transaction, ...fields } = parameters;
  const names = ["requestId", "chainId", "txHash"];
  const { requestId, chainId, txHash } = checkBody(
    { requestId: "text", chainId: "whole number", txHash: "text" },
    fields,
    names,
  );
  await callService(client, {
    method: "POST",
    path: "/transactions/single",
    // The service accepts both as strings.
    body: { requestId, chainId: String(chainId), tx: JSON.stringify({ ...transaction, txHash }) },
    schema: MessageSchema,
    requestId,
    signal,
  });
}

/** Parameters of `reindexDepositAddress`. */
export interface ReindexDepositAddressParameters {
  /** Origin chain of the address. */
  readonly chainId: number;
  readonly depositAddress: string;
  /** Chain to check. Defaults to `chainId`. */
  readonly targetChainId?: number;
  /** Currency address to check on that chain. Defaults to all currencies. */
  readonly currency?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the service search for payments at a deposit address (`POST /transactions/deposit-address/reindex`), for
 * example after a payment on another chain. Not retried when its outcome is unknown, because the service accepts one
 * check per address and period. Balances are in the smallest unit.
 *
 * @throws {@link InvalidInputError} when a parameter is malformed; no request is sent
 * @throws {@link ServiceError} with status 404 when the address is unknown or has no payment, and 429 when it was checked
 * recently
 */
export async function reindexDepositAddress(
  client: ServiceClient,
  { signal, ...body }: ReindexDepositAddressParameters,
): Promise<ReindexResult> {
  checkBody(
    { chainId: "whole number", depositAddress: "text", targetChainId: "whole number", currency: "text" },
    body,
    ["chainId", "depositAddress"],
  );
  const { chainId, depositAddress, targetChainId = chainId, currency } = body;
  const family = chainFamilyOf(chainId);
  // Addresses from the service can have an invalid checksum.
  family.parseAccount(family.name === "evm" ? depositAddress.toLowerCase() : depositAddress, "depositAddress");
  if (currency !== undefined) chainFamilyOf(targetChainId).parseCurrency(currency, "currency");
  return callService(client, {
    method: "POST",
    path: "/transactions/deposit-address/reindex",
    body,
    schema: ReindexResultSchema,
    signal,
  });
}

/** Parameters of `setRequestMetadata`. */
export interface SetRequestMetadataParameters {
  readonly requestId: string;
  /** Id of the user's purchase at the payment partner. */
  readonly moonPayId: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Attaches a payment partner's id to a request (`POST /requests/metadata`). The request's record then has the id in
 * `data.externalMetadata`.
 * @throws {@link InvalidInputError} when an id is missing; no request is sent
 * @throws {@link ServiceError} with status 404 when the service does not know the request
 */
export async function setRequestMetadata(
  client: ServiceClient,
  { signal, ...ids }: SetRequestMetadataParameters,
): Promise<void> {
  const { requestId, moonPayId } = checkBody({ requestId: "text", moonPayId: "text" }, ids, ["requestId", "moonPayId"]);
  await callService(client, {
    method: "POST",
    path: "/requests/metadata",
    body: { requestId, additionalMetadata: { moonPayId } },
    schema: MessageSchema,
    requestId,
    signal,
  });
}

/** Filters of `POST /currencies/v2`. A currency must match all filters. */
export interface SearchCurrenciesParameters {
  /** Part of the name or symbol. */
  readonly term?: string;
  readonly chainIds?: readonly number[];
  readonly address?: string;
  /** Such as `usdc`. */
  readonly currencyId?: string;
  /** As `chainId:address`. */
  readonly tokens?: readonly string[];
  /** Verified currencies only. */
  readonly verified?: boolean;
  /** Whether to return only currencies that deposit addresses accept. */
  readonly depositAddressOnly?: boolean;
  /** Whether to return only the service's default list. */
  readonly defaultList?: boolean;
  /** Whether to return the same currency on all chains, for one of `chainIds` and an `address`. */
  readonly includeAllChains?: boolean;
  /** Whether to also search third-party lists. */
  readonly useExternalSearch?: boolean;
  /** Maximum number of currencies. Defaults to 20. */
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Searches the service's currencies (`POST /currencies/v2`). An entry with unreadable fields lists them in
 * `unreadable`.
 *
 * @throws {@link InvalidInputError} when a filter is unknown or malformed; no request is sent
 * @throws {@link ServiceError} when the service rejects the request
 */
export async function searchCurrencies(
  client: ServiceClient,
  { signal, ...body }: SearchCurrenciesParameters = {},
): Promise<readonly CurrencyEntry[]> {
  checkBody(
    {
      term: "text",
      chainIds: "whole numbers",
      address: "text",
      currencyId: "text",
      tokens: "list",
      verified: "flag",
      depositAddressOnly: "flag",
      defaultList: "flag",
      includeAllChains: "flag",
      useExternalSearch: "flag",
      limit: "whole number",
    },
    body,
  );
  const entries = await callService(client, {
    method: "POST",
    path: "/currencies/v2",
    body,
    schema: T.Array(T.Unknown()),
    signal,
  });
  return entries.map((entry) => readResponse(CurrencyEntrySchema, entry));
}

/** Parameters of `fastFill`. */
export interface FastFillParameters {
  readonly requestId: string;
  /** Amount that the solver receives on the origin chain, in the smallest unit. Defaults to the quoted amount. */
  readonly solverInputCurrencyAmount?: bigint;
  /** Maximum value of the fill in US dollars. A fill with a higher value is rejected. */
  readonly maxFillAmountUsd?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the solver fill a request before its deposit is confirmed, at your risk (`POST /fast-fill`): the value of the
 * fill is held from the app balance of your API key, and lost if the deposit never arrives. Not retried when its
 * outcome is unknown; follow the request with `watchRequest` instead.
 * @throws {@link InvalidInputError} when the client has no API key or a parameter is malformed; no request is sent
 * @throws {@link ServiceError} with status 403 without a sufficient balance, 404 for an unknown request, and 409 when the
 * request is being filled
 */
export async function fastFill(client: ServiceClient, parameters: FastFillParameters): Promise<void> {
  const { signal, solverInputCurrencyAmount: amount, ...fields } = parameters;
  requireApiKey(client, "POST /fast-fill");
  checkBody({ requestId: "text", maxFillAmountUsd: "number of USD" }, fields, ["requestId"]);
  const solverInputCurrencyAmount =
    amount === undefined ? undefined : String(requireAmount(amount, "solverInputCurrencyAmount"));
  await callService(client, {
    method: "POST",
    path: "/fast-fill",
    body: { ...fields, solverInputCurrencyAmount },
    schema: MessageSchema,
    requestId: fields.requestId,
    signal,
  });
}

/** Access token for a browser or a mobile app. */
export interface AccessToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Exchanges the client's API key for an access token that is valid for 15 minutes (`POST /access-tokens`). Call it on
 * your server for authorized users, and return the token without caching it. The key needs elevated rate limits.
 *
 * @throws {@link InvalidInputError} when the client has no API key
 * @throws {@link ServiceError} when the service rejects the request, for example because the key's limits are not
 * elevated
 */
export async function createAccessToken(
  client: ServiceClient,
  parameters: { readonly signal?: AbortSignal | undefined } = {},
): Promise<AccessToken> {
  rejectUnknownOptions(parameters, { signal: 1 });
  const { signal } = parameters;
  if (client.apiKey === undefined) {
    throw new InvalidInputError({
      field: "client.apiKey",
      value: undefined,
      reason: "POST /access-tokens requires an API key",
      hint: "Create the client with apiKey, on your server.",
    });
  }
  const call = { method: "POST", path: "/access-tokens", body: {}, schema: AccessTokenSchema, signal } as const;
  const { token, expiresAt } = await callService(client, { ...call, needs: ["token", "expiresAt"] });
  const end = new Date(expiresAt);
  if (!Number.isNaN(end.getTime())) return { token, expiresAt: end };
  throw new MalformedDataError({
    what: "the response of POST /access-tokens",
    path: "expiresAt",
    reason: "it is not a time",
  });
}
