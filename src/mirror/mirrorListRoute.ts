import type { RequestRecord } from "@crosscall/sdk/internal/protocol/request/requestRecord";
import { isOwnRequest } from "../service/caller.ts";
import { readPage } from "../service/listing/listing.ts";
import type { ServiceApp } from "../service/route.ts";
import { addRequestList } from "../service/routes/addRequestList.ts";
import { listRecords } from "../store/mirror/listRecords.ts";
import type { Database } from "../store/store.ts";

/** `GET /requests/v3` of a mirror: the records as the service told them. */
export function addMirrorList(app: ServiceApp, db: Database): void {
  addRequestList(app, async (listing, { caller, includesAuthenticatedData }) => {
    const { rows, envelope } = await readPage(db, listing, listRecords);
    return {
      requests: rows.map((row) =>
        includesAuthenticatedData && isOwnRequest(caller, row) ? row.record : withoutAuthenticatedData(row.record),
      ),
      ...envelope,
    };
  });
}

/** The mirror holds what the integrator may see of its own requests; who does not ask for it gets what others see. */
function withoutAuthenticatedData({ data, ...record }: RequestRecord): RequestRecord {
  const { referrer: _, apiKeyName: __, ...visible } = data ?? {};
  return { ...record, data: visible };
}
