import type { RequestRecord } from "../protocol/request/requestRecord.ts";
import type { ServiceClient } from "./client.ts";
import { iteratePages, type IterateOptions } from "./iteratePages.ts";
import { listRequests } from "./listRequests.ts";
import { pageSizeOf } from "./pageSize.ts";
import type { RequestQuery } from "./requestQuery.ts";

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
  return iteratePages(
    "GET /requests/v3",
    (continuation) =>
      listRequests(client, {
        ...query,
        limit,
        ...(continuation === undefined ? {} : { continuation }),
        signal,
      }),
    query.continuation,
    options.limit,
  );
}
