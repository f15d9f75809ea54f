import { RequestListSchema } from "../../../protocol/requestRecord.ts";
import { ServiceErrorSchema } from "../../../protocol/serviceError.ts";
import { isOwnRequest, requireCaller } from "../caller.ts";
import { refuseKey } from "../refusal.ts";
import { readPage } from "../listing/listing.ts";
import { ListingQueryV3Schema } from "../listing/listingQueryV3.ts";
import { parseListingV3 } from "../listing/parseListingV3.ts";
import { toRequestRecord } from "../records/toRequestRecord.ts";
import type { ServiceRoute } from "../route.ts";

/** `GET /requests/v3` (spec 1, section 4.2). */
export const requestListRoute: ServiceRoute = (app, context) => {
  app.get(
    "/requests/v3",
    {
      schema: {
        summary: "List requests",
        querystring: ListingQueryV3Schema,
        response: { 200: RequestListSchema, "4xx": ServiceErrorSchema },
      },
      // Before the query is looked at: who has no key learns nothing of it.
      onRequest: (request, _reply, done) => {
        done(request.caller === undefined ? refuseKey() : undefined);
      },
    },
    async (request) => {
      const { query } = request;
      const caller = requireCaller(request);
      const { rows, transactions, envelope } = await readPage(context.store.db, parseListingV3(query, caller));
      return {
        requests: rows.map((row) =>
          toRequestRecord(context, row, transactions, {
            isAuthenticated: query.includeAuthenticatedData === true && isOwnRequest(caller, row),
          }),
        ),
        ...envelope,
      };
    },
  );
};
