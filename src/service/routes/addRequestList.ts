import { ServiceErrorSchema } from "@crosscall/sdk/internal/protocol/common/serviceError";
import type { RequestList } from "@crosscall/sdk/internal/protocol/complete";
import { RequestListSchema, type RequestRecord } from "@crosscall/sdk/internal/protocol/request/requestRecord";
import { requireCaller } from "../caller.ts";
import type { Caller } from "../keys/keyRing.ts";
import type { Listing } from "../listing/listing.ts";
import { ListingQueryV3Schema } from "../listing/listingQueryV3.ts";
import { parseListingV3 } from "../listing/parseListingV3.ts";
import { refuseKey } from "../refusal.ts";
import type { ServiceApp } from "../route.ts";

/** What a page is listed for. */
export interface ListedFor {
  readonly caller: Caller;
  /** Whether fields are asked for that only the integrator of a request may see. */
  readonly includesAuthenticatedData: boolean;
}

/** A page: of a mirror, with records as complete as the mirrored service sent them. */
export type ListedRequests = Omit<RequestList, "requests"> & { readonly requests: readonly RequestRecord[] };

/** Adds `GET /requests/v3` (spec 1, section 4.2), whoever made the requests that it lists. */
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
        response: { 200: RequestListSchema, "4xx": ServiceErrorSchema },
      },
      // Bytes go out as they are; text of this length would be copied once more on its way.
      onSend: (_request, _reply, payload, done) => {
        done(null, typeof payload === "string" ? Buffer.from(payload) : payload);
      },
      // Before the query is looked at: who has no key learns nothing of it.
      onRequest: (request, _reply, done) => {
        done(request.caller === undefined ? refuseKey() : undefined);
      },
    },
    (request) => {
      const caller = requireCaller(request);
      const includesAuthenticatedData = request.query.includeAuthenticatedData === true;
      return list(parseListingV3(request.query, caller), { caller, includesAuthenticatedData }) as Promise<RequestList>;
    },
  );
}
