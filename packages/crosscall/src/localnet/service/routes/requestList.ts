import { listRequests } from "../../store/requests/listRequests.ts";
import { listTransactions } from "../../store/transactions.ts";
import { isOwnRequest, keyNameOf } from "../caller.ts";
import { readPage } from "../listing/listing.ts";
import { toRequestRecord } from "../records/toRequestRecord.ts";
import type { ServiceRoute } from "../route.ts";
import { addRequestList } from "./addRequestList.ts";

export const requestListRoute: ServiceRoute<"chains" | "currencies" | "store"> = (app, parts) => {
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
