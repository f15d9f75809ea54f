import { ServiceErrorSchema } from "@crosscall/protocol/common";
import type { RequestList } from "@crosscall/protocol/complete";
import { RequestListSchema, type RequestRecord } from "@crosscall/protocol/request/records";
import { requireCaller } from "../caller.ts";
import type { Caller } from "../keys/keyRing.ts";
import type { Listing } from "../listing/listing.ts";
import { ListingQueryV3Schema } from "../listing/listingQueryV3.ts";
import { parseListingV3 } from "../listing/parseListingV3.ts";
import { refuseKey } from "../refusal.ts";
import type { ServiceApp } from "../route.ts";

export interface ListedFor {
  readonly caller: Caller;
  /** Whether fields are included that only the request's integrator may see. */
  readonly includesAuthenticatedData: boolean;
}

/** A mirrored record has the fields that its service sent. */
export type ListedRequests = Omit<RequestList, "requests"> & { readonly requests: readonly RequestRecord[] };

/** `GET /requests/v3` (spec 1, section 4.2), also for mirrored requests. */
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
      // Buffers are sent as they are; long strings would be copied once more.
      onSend: (_request, _reply, payload, done) => {
        done(null, typeof payload === "string" ? Buffer.from(payload) : payload);
      },
      // Runs before the query is parsed: callers without a key learn nothing about it.
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
