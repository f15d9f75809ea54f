import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { compact } from "@crosscall/protocol/core";
import { type RequestRecord, RequestRecordSchema } from "@crosscall/protocol/request/records";
import { readResponse } from "@crosscall/protocol/schema";
import type { RequestRecordV2 } from "@crosscall/protocol/v2";
import { callService } from "./callService.ts";
import { requireApiKey, type ServiceClient } from "./client.ts";
import { RequestNotFoundError } from "./errors.ts";
import { type IterateOptions, iteratePages, pageSizeOf, RecordPageSchema } from "./iteratePages.ts";
import { listRequestsV2, type RequestQueryV2 } from "./listRequestsV2.ts";
import { encodeRequestQuery, type RequestQuery } from "./requestQuery.ts";

export type ListRequestsParameters = RequestQuery & { readonly signal?: AbortSignal | undefined };

/** Page of a listing. */
export interface RequestPage {
  /** Records. A record with unreadable fields lists them in `unreadable`, with the record as received. */
  readonly requests: readonly RequestRecord[];
  /** The next page's cursor; undefined on the last page. */
  readonly continuation: string | undefined;
  /** Number of all matching requests; only with `includeTotal`. */
  readonly total: number | undefined;
}

/**
 * Returns a page of requests (`GET /requests/v3`, spec 1, section 4.2; envelope: spec 4, section 4).
 *
 * @throws {@link InvalidInputError} when the client has no API key or a parameter is invalid; no request is sent
 * @throws {@link ServiceError} when the service rejects the request, for example because an API key is not yours
 */
export async function listRequests(
  client: ServiceClient,
  parameters: ListRequestsParameters = {},
): Promise<RequestPage> {
  const { signal, ...query } = parameters;
  requireApiKey(client, "GET /requests/v3");
  const { requests, continuation, total } = await callService(client, {
    method: "GET",
    path: "/requests/v3",
    ...encodeRequestQuery(query),
    schema: RecordPageSchema,
    needs: ["requests"],
    requestId: query.id,
    signal,
  });
  return {
    requests: requests.map((record) => readResponse(RequestRecordSchema, record)),
    continuation: continuation ?? undefined,
    total: total ?? undefined,
  };
}

export interface GetRequestParameters {
  readonly requestId: string;
  /** Whether to include fields that only the integrator of the request may see; for trusted servers. */
  readonly includeAuthenticatedData?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the record of one request (`GET /requests/v3` by id).
 *
 * @throws {@link RequestNotFoundError} when the service does not list this id
 * @throws {@link InvalidInputError} when the client has no API key; no request is sent
 */
export async function getRequest(client: ServiceClient, options: GetRequestParameters): Promise<RequestRecord> {
  rejectUnknownOptions(options, { requestId: 1, includeAuthenticatedData: 1, signal: 1 });
  const { requestId, ...parameters } = options;
  const { requests } = await listRequests(client, { ...parameters, id: requestId });
  const record = requests.find(({ id }) => id?.toLowerCase() === requestId.toLowerCase());
  if (record === undefined) throw new RequestNotFoundError({ requestId });
  return record;
}

/**
 * Yields all matching requests, each once (`GET /requests/v3`). Requests a page when the previous page is consumed.
 * `query.limit` is the page size, and `options.limit` the maximum number of requests.
 * @throws {@link InvalidInputError} like {@link listRequests}, and when the limit is not an integer
 * @throws {@link PagingStuckError} when the listing would never end
 * @throws {@link ServiceError} when the service rejects the request
 */
export function iterateRequests(
  client: ServiceClient,
  query: RequestQuery = {},
  options: IterateOptions = {},
): AsyncGenerator<RequestRecord, void, undefined> {
  rejectUnknownOptions(options, { limit: 1, signal: 1 });
  const { signal } = options;
  const limit = pageSizeOf(query.limit, options.limit);
  return iteratePages({
    endpoint: "GET /requests/v3",
    fetchPage: async (cursor) => {
      const page = await listRequests(client, { ...query, limit, ...compact({ continuation: cursor }), signal });
      return { items: page.requests, continuation: page.continuation };
    },
    idOf: ({ id }) => id,
    first: query.continuation,
    limit: options.limit,
  });
}

/**
 * Yields all matching requests of the v2 listing, each once, like `iterateRequests` for v3.
 *
 * @throws {@link EndpointRetiredError} from November 24, 2026 on, unless forced
 * @throws {@link PagingStuckError} when the listing would never end
 */
export function iterateRequestsV2(
  client: ServiceClient,
  query: RequestQueryV2 = {},
  options: IterateOptions & { readonly force?: boolean } = {},
): AsyncGenerator<RequestRecordV2, void, undefined> {
  rejectUnknownOptions(options, { limit: 1, signal: 1, force: 1 });
  const { signal, force = false } = options;
  const limit = pageSizeOf(query.limit, options.limit);
  return iteratePages({
    endpoint: "GET /requests/v2",
    fetchPage: async (cursor) => {
      const page = await listRequestsV2(client, {
        ...query,
        limit,
        ...compact({ continuation: cursor }),
        force,
        signal,
      });
      return { items: page.requests, continuation: page.continuation };
    },
    idOf: ({ id }) => id,
    first: query.continuation,
    limit: options.limit,
  });
}
