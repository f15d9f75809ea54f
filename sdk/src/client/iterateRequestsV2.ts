import type { RequestRecordV2 } from "../protocol/v2/requestRecordV2.ts";
import type { ServiceClient } from "./client.ts";
import { iteratePages, type IterateOptions } from "./iteratePages.ts";
import { listRequestsV2 } from "./listRequestsV2.ts";
import { pageSizeOf } from "./pageSize.ts";
import type { RequestQueryV2 } from "./requestQueryV2.ts";

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
  return iteratePages(
    "GET /requests/v2",
    (continuation) =>
      listRequestsV2(client, {
        ...query,
        limit,
        ...(continuation === undefined ? {} : { continuation }),
        force,
        signal,
      }),
    query.continuation,
    options.limit,
  );
}
