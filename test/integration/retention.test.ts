import { expect } from "chai";
import { sql } from "kysely";

import { dropOldMonths } from "../../src/store/dropOldMonths.ts";
import { findRequest, insertRequest } from "../../src/store/requests.ts";
import type { RequestTable } from "../../src/store/tables/requestTables.ts";
import type { Store } from "../../src/store/store.ts";
import { insertTransaction } from "../../src/store/transactions.ts";
import { onEachDatabase } from "./support/onEachDatabase.ts";
import { newOrder, newRequest, newTransaction } from "./support/storeRows.ts";

const NOW = new Date("2026-11-21T12:00:00.000Z");

onEachDatabase("dropping old months", (open) => {
  let store: Store;
  const write = async (id: string, createdAt: string, status: RequestTable["status"]) => {
    await insertRequest(store.db, newRequest(id, { status, created_at: new Date(createdAt) }), newOrder());
    await insertTransaction(store.db, newTransaction(id, { purpose: "deposit", nonce: null }));
  };

  before(async () => {
    store = await open();
    await write("kept", "2026-10-01T00:00:00.000Z", "success");
    await write("gone", "2026-09-30T23:59:59.999Z", "success");
    await write("unpaid", "2026-09-01T00:00:00.000Z", "waiting");
    await write("open", "2026-08-10T00:00:00.000Z", "submitted");
    await write("over", "2026-08-10T00:00:00.000Z", "refund");
    await write("oldest", "2019-02-01T00:00:00.000Z", "failure");
  });
  after(() => store.close());

  it("takes all that belongs to them, and leaves a month with a request that is not over", async () => {
    expect(await dropOldMonths(store.db, 2, NOW)).to.deep.equal(["requests_2019_02", "requests_2026_09"]);
    for (const table of ["request_ids", "orders", "transactions", "requests"]) {
      const id = table === "orders" || table === "transactions" ? "request_id" : "id";
      const { rows } = await sql<{ id: string }>`
        select ${sql.ref(id)} as id from ${sql.table(table)} order by 1`.execute(store.db);
      expect(
        rows.map((row) => row.id),
        table,
      ).to.deep.equal(["kept", "open", "over"]);
    }
  });

  it("takes nothing twice, and takes a month again that was filled since", async () => {
    expect(await dropOldMonths(store.db, 2, NOW)).to.deep.equal([]);
    await write("back", "2026-09-05T00:00:00.000Z", "success");
    expect(await findRequest(store.db, "back")).to.include({ id: "back" });
    expect(await dropOldMonths(store.db, 2, NOW)).to.deep.equal(["requests_2026_09"]);
  });
});
