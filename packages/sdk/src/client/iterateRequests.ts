import { compact } from "@crosscall/protocol/core";
import type { RequestRecord } from "@crosscall/protocol/request/records";
import type { RequestRecordV2 } from "@crosscall/protocol/v2";
import type { ServiceClient } from "./client.ts";
import { type IterateOptions, iteratePages, pageSizeOf } from "./iteratePages.ts";
import { listRequests } from "./listRequests.ts";
import { listRequestsV2 } from "./listRequestsV2.ts";
import type { RequestQuery } from "./requestQuery.ts";
import type { RequestQueryV2 } from "./requestQueryV2.ts";

/**
 * Yields all matching requests, each once (`GET /requests/v3`). A page is requested when the previous one is consumed.
 * `query.limit` is the page size, `options.limit` the maximum number of requests.
 *
 * @throws {@link InvalidInputError} as {@link listRequests}, and when the limit is not a whole number
 * @throws {@link PagingStuckError} when the listing would never end
 * @throws {@link ServiceError} when the service refuses
 */
export function iterateRequests(
  client: ServiceClient,
  query: RequestQuery = {},
  options: IterateOptions = {},
): AsyncGenerator<RequestRecord, void, undefined> {
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
