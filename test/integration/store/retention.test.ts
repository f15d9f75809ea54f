import { expect } from "chai";
import { sql } from "kysely";

import { systemClock } from "../../../packages/protocol/src/core/timer.ts";
import { createLog } from "../../../packages/crosscall/src/localnet/log.ts";
import { startRetention } from "../../../packages/crosscall/src/localnet/service/retention.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/quote/quoteRequest.ts";
import { listAppFees } from "../../../packages/crosscall/src/localnet/store/appFees.ts";
import { insertDepositAddress } from "../../../packages/crosscall/src/localnet/store/depositAddresses.ts";
import {
  debitFastFill,
  holdFastFill,
  insertFastFill,
} from "../../../packages/crosscall/src/localnet/store/fastFills.ts";
import { dropOldMonths } from "../../../packages/crosscall/src/localnet/store/requests/months.ts";
import {
  findRequest,
  insertRequest,
  type NewRequest,
  type RequestTable,
} from "../../../packages/crosscall/src/localnet/store/requests/requests.ts";
import { setSponsorBalance } from "../../../packages/crosscall/src/localnet/store/sponsors.ts";
import type { Store } from "../../../packages/crosscall/src/localnet/store/store.ts";
import { insertTransaction } from "../../../packages/crosscall/src/localnet/store/transactions.ts";
import {
  dropDeliveredEvents,
  type WebhookEventState,
} from "../../../packages/crosscall/src/localnet/store/webhooks.ts";
import { onEachDatabase } from "../support/onEachDatabase.ts";
import { newOrder, newRequest, newTransaction } from "../support/storeRows.ts";

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
    for (const requestId of ["kept", "gone", "unpaid"]) {
      const row = { address: `0x${requestId}`, requestId, request: {} as QuoteRequest, watchedUntil: NOW };
      await insertDepositAddress(store.db, row);
    }
    for (const id of ["kept", "gone", "open", "oldest"]) await addEvent(store, id, "undelivered", 0);
  });
  after(() => store.close());

  it("deletes old months, and keeps a month with an open request", async () => {
    expect(await dropOldMonths(store.db, 2, NOW)).to.deep.equal(["requests_2019_02", "requests_2026_09"]);
    expect(await eventsOf(store)).to.deep.equal(["kept undelivered", "open undelivered"]);
    const addresses = await store.db.selectFrom("deposit_addresses").select("request_id").execute();
    expect(addresses).to.deep.equal([{ request_id: "kept" }]);
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

  it("deletes nothing twice, and deletes a month again if it has new requests", async () => {
    expect(await dropOldMonths(store.db, 2, NOW)).to.deep.equal([]);
    await write("back", "2026-09-05T00:00:00.000Z", "success");
    expect(await findRequest(store.db, "back")).to.include({ id: "back" });
    expect(await dropOldMonths(store.db, 2, NOW)).to.deep.equal(["requests_2026_09"]);
  });
});

onEachDatabase("app fees of old months", (open) => {
  let store: Store;
  const OLD = { created_at: new Date("2026-08-10T00:00:00.000Z"), features: ["app_fees" as const] };
  const FEES = JSON.stringify([
    { recipient: "0xA", bps: "50" },
    { recipient: "0xb", bps: "1" },
  ]);
  const write = async (
    id: string,
    { deposited, ...change }: Partial<NewRequest> & { deposited: bigint | undefined },
  ): Promise<void> => {
    await insertRequest(
      store.db,
      newRequest(id, { ...OLD, status: "success", ...change }),
      newOrder({ input_amount: 10_399n, app_fees: FEES }),
    );
    if (deposited === undefined) return;
    const deposit = newTransaction(id, { purpose: "deposit", nonce: null });
    await insertTransaction(store.db, { ...deposit, amount: deposited, status: "success" });
  };
  const listed = async (wallet: string) => {
    const fees = await listAppFees(store.db, wallet);
    return fees.map(({ amount }) => BigInt(amount)).toSorted((a, b) => Number(a - b));
  };

  before(async () => {
    store = await open();
  });
  after(() => store.close());

  it("stay the same if the requests are deleted, and count only received fees", async () => {
    await write("received", { deposited: 10_399n });
    await write("larger", { deposited: 20_000n });
    await write("smaller", { deposited: 5_200n });
    await write("unpaid", { deposited: undefined });
    await write("reorged", { deposited: 10_399n, fail_reason: "DEPOSIT_REORGED" });
    await write("refunded", { deposited: 10_399n, status: "refund" });
    const before = await listed("0xa");
    expect(before).to.deep.equal([26n, 51n, 51n]);
    expect(await dropOldMonths(store.db, 2, NOW)).to.deep.equal(["requests_2026_08"]);
    expect(await findRequest(store.db, "received")).to.equal(undefined);
    expect(await listed("0xa")).to.deep.equal(before);
    expect(await listed("0xb")).to.deep.equal([0n, 1n, 1n]);
    await write("later", { deposited: 10_399n, created_at: NOW });
    expect(await listed("0xa")).to.deep.equal([26n, 51n, 51n, 51n]);
  });

  it("are kept while a fast fill has no deposit", async () => {
    await write("held", { deposited: undefined });
    await setSponsorBalance(store.db, "sponsor", 10n);
    const order = { requestId: "held", apiKeyHash: "sponsor", inputAmount: 1n, maxFillUsdE18: null, at: NOW };
    await insertFastFill(store.db, order);
    await holdFastFill(store.db, "held", 10n);
    expect(await dropOldMonths(store.db, 2, NOW)).to.deep.equal([]);
    await debitFastFill(store.db, "held");
    expect(await dropOldMonths(store.db, 2, NOW)).to.deep.equal(["requests_2026_08"]);
  });
});

onEachDatabase("dropping delivered events", (open) => {
  it("deletes only events delivered before the given number of days", async () => {
    const store = await open();
    try {
      await addEvent(store, "old", "delivered", 2.01);
      await addEvent(store, "new", "delivered", 1.99);
      await addEvent(store, "stuck", "undelivered", 30);
      await addEvent(store, "waiting", "pending", null);
      const network = { store, clock: systemClock, log: createLog("silent") };
      // The first check runs immediately, and `close` waits for it.
      await startRetention(network, { months: 1 }).close();
      expect(await eventsOf(store)).to.have.length(4);
      await startRetention(network, { deliveryDays: 2 }).close();
      expect(await eventsOf(store)).to.deep.equal(["new delivered", "stuck undelivered", "waiting pending"]);
    } finally {
      await store.close();
    }
  });

  it("deletes any number of events", async () => {
    const store = await open();
    try {
      await sql`
        insert into webhook_events (request_id, key_hash, status, status_at, state, finished_at)
        select 'r' || number, 'key', 'success', now(), 'delivered', now() - interval '3 days'
        from generate_series(1, 10001) as number`.execute(store.db);
      await addEvent(store, "new", "delivered", 0);
      expect(await dropDeliveredEvents(store.db, 1)).to.equal(10_001);
      expect(await eventsOf(store)).to.deep.equal(["new delivered"]);
    } finally {
      await store.close();
    }
  });
});

/** Inserts an event that was completed the given number of days ago. */
async function addEvent(
  { db }: Store,
  requestId: string,
  state: WebhookEventState,
  days: number | null,
): Promise<void> {
  await sql`
    insert into webhook_events (request_id, key_hash, status, status_at, state, finished_at)
    values (${requestId}, 'key', 'success', now(), ${state}, now() - ${days}::double precision * interval '1 day')
  `.execute(db);
}

async function eventsOf({ db }: Store): Promise<string[]> {
  const rows = await db.selectFrom("webhook_events").select(["request_id", "state"]).orderBy("request_id").execute();
  return rows.map((row) => `${row.request_id} ${row.state}`);
}
