import type { ServiceClient } from "@crosscall/sdk/internal/client/client";
import { PagingStuckError } from "@crosscall/sdk/internal/client/errors";
import { listRequests } from "@crosscall/sdk/internal/client/listRequests";
import type { ChangesSince, RecordPage } from "../../src/store/mirror/syncRequests.ts";

/** Oldest change first. */
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
