import type { RequestList } from "@crosscall/protocol/complete";
import { RequestListSchema, type RequestRecord } from "@crosscall/protocol/request/records";
import { listRequests } from "../../store/requests/listRequests.ts";
import { listTransactions } from "../../store/transactions.ts";
import { isOwnRequest, keyNameOf, requireCaller } from "../caller.ts";
import type { Caller } from "../keys/keyRing.ts";
import { type Listing, readPage } from "../listing/listing.ts";
import { ListingQueryV3Schema, parseListingV3 } from "../listing/parseListingV3.ts";
import { toRequestRecord } from "../records/toRequestRecord.ts";
import { requireKey, responses, type ServiceApp, type ServiceRoute } from "../route.ts";
import type { ChainReader, Pricer, StoreUser } from "../../market/market.ts";

export interface ListedFor {
  readonly caller: Caller;
  /** Whether to include fields that only the request's integrator may see. */
  readonly includesAuthenticatedData: boolean;
}

/** A mirrored record has the fields that its source service sent. */
export type ListedRequests = Omit<RequestList, "requests"> & { readonly requests: readonly RequestRecord[] };

/** Adds `GET /requests/v3` (spec 1, section 4.2), also for mirrored requests. */
export function addRequestList(
  app: ServiceApp,
  list: (listing: Listing, listedFor: ListedFor) => Promise<ListedRequests>,
): void {
  app.get(
    "/requests/v3",
    {
      schema: {
        summary: "List requests",
        querystring: ListingQueryV3Schema,
        response: responses(RequestListSchema),
      },
      // Sends a buffer, because a long string would be copied again.
      onSend: (_request, _reply, payload, done) => {
        done(null, typeof payload === "string" ? Buffer.from(payload) : payload);
      },
      onRequest: requireKey,
    },
    (request) => {
      const caller = requireCaller(request);
      const includesAuthenticatedData = request.query.includeAuthenticatedData === true;
      return list(parseListingV3(request.query, caller), { caller, includesAuthenticatedData }) as Promise<RequestList>;
    },
  );
}

export const requestListRoute: ServiceRoute<Pricer & ChainReader & StoreUser> = (app, parts) => {
  const { reader: db } = parts.store;
  addRequestList(app, async (listing, { caller, includesAuthenticatedData }) => {
    const { rows, envelope } = await readPage(db, listing, listRequests);
    const ids = rows.map(({ id }) => id);
    const transactions = Map.groupBy(await listTransactions(db, ids), (row) => row.request_id);
    return {
      requests: rows.map((row) =>
        toRequestRecord(parts, row, transactions.get(row.id) ?? [], {
          isAuthenticated: includesAuthenticatedData && isOwnRequest(caller, row),
          apiKeyName: keyNameOf(caller, row),
        }),
      ),
      ...envelope,
    };
  });
};
