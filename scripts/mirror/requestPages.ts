import type { ServiceClient } from "../../src/client/client.ts";
import { PagingStuckError } from "../../src/client/errors.ts";
import { listRequests } from "../../src/client/listRequests.ts";
import type { ChangesSince, RecordPage } from "../../src/store/mirror/syncRequests.ts";

/** The pages of a service's listing of what changed, oldest change first. */
export function requestPages(client: ServiceClient): ChangesSince {
  return async function* pages(madeWith, sinceSeconds, signal): AsyncGenerator<RecordPage, void, undefined> {
    const cursors = new Set<string>();
    let continuation: string | undefined;
    let listed = 0;
    do {
      const page = await listRequests(client, {
        apiKey: madeWith,
        sortBy: "updatedAt",
        sortDirection: "asc",
        includeAuthenticatedData: true,
        limit: 50,
        ...(sinceSeconds === undefined ? {} : { startTimestamp: sinceSeconds }),
        ...(continuation === undefined ? { includeTotal: true } : { continuation }),
        signal,
      });
      yield { records: page.requests, total: page.total };
      listed += page.requests.length;
      continuation = page.continuation;
      if (continuation !== undefined && cursors.has(continuation)) {
        const reason = "a cursor came again";
        throw new PagingStuckError({ endpoint: "GET /requests/v3", continuation, listed, reason });
      }
      if (continuation !== undefined) cursors.add(continuation);
    } while (continuation !== undefined);
  };
}
