import * as Type from "typebox";

import { ServiceErrorSchema } from "@crosscall/protocol/common";
import { listRequests } from "../../store/requests/listRequests.ts";
import { listTransactions } from "../../store/transactions.ts";
import { readPage } from "../listing/listing.ts";
import { parseListingV2 } from "../listing/parseListingV2.ts";
import { commonQuery, referrerQuery, seconds, text } from "../listing/queryParts.ts";
import { RequestRecordV1Schema, toRequestRecordV1 } from "../records/toRequestRecordV1.ts";
import type { ServiceRoute } from "../route.ts";

const { id, originChainId, destinationChainId, privateChainsToInclude, limit, continuation } = commonQuery;

const QuerySchema = Type.Object({
  id,
  user: text("Sender, recipient or deposit address."),
  hash: text("Hash of any transaction of the request."),
  originChainId,
  destinationChainId,
  privateChainsToInclude,
  startTimestamp: seconds("Earliest creation time."),
  endTimestamp: seconds("Latest creation time, inclusive."),
  limit,
  continuation,
  ...referrerQuery,
});

const PageSchema = Type.Object({
  requests: Type.Array(RequestRecordV1Schema),
  continuation: Type.Optional(Type.String({ description: "Cursor of the next page; missing on the last page." })),
});

export const requestListV1Route: ServiceRoute<"chains" | "currencies" | "store"> = (app, parts) => {
  app.get(
    "/requests",
    {
      schema: {
        summary: "List requests in the first format",
        querystring: QuerySchema,
        response: { 200: PageSchema, "4xx": ServiceErrorSchema },
      },
    },
    async ({ query: { referrer: _, ...query } }) => {
      const { db } = parts.store;
      const { rows, envelope } = await readPage(db, parseListingV2(query), listRequests);
      const ids = rows.map((row) => row.id);
      const transactions = Map.groupBy(await listTransactions(db, ids), (row) => row.request_id);
      return {
        requests: rows.map((row) => toRequestRecordV1(parts, row, transactions.get(row.id) ?? [])),
        ...envelope,
      };
    },
  );
};
