import { parseEvmAddress } from "@crosscall/protocol/chains";
import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { compact } from "@crosscall/protocol/core";
import {
  type AppFeeBalances,
  AppFeeBalancesSchema,
  type AppFeeClaim,
  AppFeeClaimSchema,
} from "@crosscall/protocol/fees";
import { readResponse } from "@crosscall/protocol/schema";
import * as T from "@crosscall/protocol/schema/type";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";
import { type IterateOptions, iteratePages, type Page, pageSizeOf } from "./iteratePages.ts";
import { encodeQuery } from "./queryFields.ts";

/** Parameters of `getAppFeeBalances`. */
export interface GetAppFeeBalancesParameters {
  /** Wallet that receives app fees: a `recipient` of `appFees`. */
  readonly address: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the app fees that a wallet can claim (`GET /app-fees/{wallet}/balances`). Amounts are in the smallest unit,
 * totals in US dollars. `availableBalanceUsd` is the total minus the amount held for fast fills.
 * @throws {@link InvalidInputError} when the address is not an EVM address; no request is sent
 * @throws {@link ServiceError} when the service rejects the request
 */
export async function getAppFeeBalances(
  client: ServiceClient,
  parameters: GetAppFeeBalancesParameters,
): Promise<AppFeeBalances> {
  rejectUnknownOptions(parameters, { address: 1, signal: 1 });
  const { address, signal } = parameters;
  return callService(client, {
    method: "GET",
    path: `/app-fees/${parseEvmAddress(address, "address")}/balances`,
    schema: AppFeeBalancesSchema,
    signal,
  });
}

/** Parameters of `listAppFeeClaims`. */
export interface ListAppFeeClaimsParameters {
  /** Wallet that receives app fees. */
  readonly address: string;
  /** Claims per page, from 1 to 50. */
  readonly limit?: number;
  /** The previous page's cursor. */
  readonly continuation?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Page of claims. */
export interface AppFeeClaimPage {
  /** Claims, newest first. A claim with unreadable fields lists them in `unreadable`, with the claim as received. */
  readonly claims: readonly AppFeeClaim[];
  /** The next page's cursor; undefined on the last page. */
  readonly continuation: string | undefined;
}

/**
 * Returns a page of a wallet's app fee claims (`GET /app-fees/{wallet}/claims`).
 *
 * @throws {@link InvalidInputError} when a parameter is malformed; no request is sent
 * @throws {@link MalformedDataError} when the response has no `claims`
 * @throws {@link ServiceError} when the service rejects the request
 */
export async function listAppFeeClaims(
  client: ServiceClient,
  parameters: ListAppFeeClaimsParameters,
): Promise<AppFeeClaimPage> {
  rejectUnknownOptions(parameters, { address: 1, limit: 1, continuation: 1, signal: 1 });
  const { address, signal, ...query } = parameters;
  const { claims, continuation } = await callService(client, {
    method: "GET",
    path: `/app-fees/${parseEvmAddress(address, "address")}/claims`,
    query: encodeQuery({ limit: "page size", continuation: "text" }, query),
    schema: T.Object({ claims: T.Array(T.Unknown()), continuation: T.Optional(T.String()) }),
    needs: ["claims"],
    signal,
  });
  return {
    claims: claims.map((claim) => readResponse(AppFeeClaimSchema, claim)),
    continuation: continuation ?? undefined,
  };
}

/**
 * Yields all claims of a wallet, each once, newest first. Requests a page when the previous page is consumed.
 * @throws {@link InvalidInputError} like {@link listAppFeeClaims}, and when the limit is not an integer
 * @throws {@link PagingStuckError} when the listing would never end
 * @throws {@link ServiceError} when the service rejects the request
 */
export function iterateAppFeeClaims(
  client: ServiceClient,
  parameters: Pick<ListAppFeeClaimsParameters, "address">,
  options: IterateOptions = {},
): AsyncGenerator<AppFeeClaim, void, undefined> {
  rejectUnknownOptions(parameters, { address: 1 });
  const { address } = parameters;
  rejectUnknownOptions(options, { limit: 1, signal: 1 });
  const { limit, signal } = options;
  const pageSize = pageSizeOf(undefined, limit);
  return iteratePages({
    endpoint: "GET /app-fees/{wallet}/claims",
    fetchPage: async (continuation): Promise<Page<AppFeeClaim>> => {
      const page = await listAppFeeClaims(client, { address, limit: pageSize, ...compact({ continuation }), signal });
      return { items: page.claims, continuation: page.continuation };
    },
    idOf: ({ claimId }) => claimId,
    limit,
  });
}
