import { expect } from "chai";
import { sql } from "kysely";

import { QUERY_TIMEOUT_MS } from "../../../packages/crosscall/src/localnet/store/queryTooExpensive.ts";
import {
  EVERY_REQUEST,
  GROUPS_MAX,
  type RequestFilter,
  type TextField,
} from "../../../packages/crosscall/src/localnet/store/requests/filter.ts";
import {
  countRequests,
  listRequests,
  type RequestPage,
} from "../../../packages/crosscall/src/localnet/store/requests/listRequests.ts";
import { insertRequest } from "../../../packages/crosscall/src/localnet/store/requests/requests.ts";
import { openStore, type Store } from "../../../packages/crosscall/src/localnet/store/store.ts";
import {
  deleteTransaction,
  findTransaction,
  insertTransaction,
  recordInclusion,
  revokeInclusion,
} from "../../../packages/crosscall/src/localnet/store/transactions.ts";
import { newPostgresDatabase } from "../../support/postgres.ts";
import { failureOf } from "../support/failureOf.ts";
import { onEachDatabase } from "../support/onEachDatabase.ts";
import { newOrder, newRequest, newTransaction } from "../support/storeRows.ts";

const page = (filter: Partial<RequestFilter>): RequestPage => ({
  filter: { ...EVERY_REQUEST, ...filter },
  sortBy: "createdAt",
  direction: "desc",
  limit: 20,
});

const lacking = (field: TextField): RequestPage => page({ conditions: [{ field, values: null, isNegated: false }] });

onEachDatabase("a listing", (open) => {
  let store: Store;

  before(async () => {
    store = await open();
    await insertRequest(store.db, newRequest("request"), newOrder());
  });
  after(() => store.close());

  const isListed = async (field: TextField): Promise<boolean> =>
    (await listRequests(store.reader, lacking(field))).length === 1;

  it("finds a request without a fill before it is filled, after the fill failed, and after the fill was removed", async () => {
    expect(await isListed("fillTxHash")).to.equal(true);
    await insertTransaction(store.db, newTransaction("request", { purpose: "fill", nonce: 1 }));
    expect(await isListed("fillTxHash")).to.equal(false);
    const id = (await findTransaction(store.db, "request", "fill"))?.id ?? 0;
    const inclusion = { block_number: 1, block_timestamp: 1, fee: 1n, gas_used: 1 };
    await recordInclusion(store.db, id, { status: "failure", ...inclusion });
    expect(await isListed("fillTxHash")).to.equal(true);
    await revokeInclusion(store.db, id);
    expect(await isListed("fillTxHash")).to.equal(false);
    await deleteTransaction(store.db, id);
    expect(await isListed("fillTxHash")).to.equal(true);
    expect(await isListed("depositTxHash")).to.equal(true);
  });

  it("rejects too many groups that cannot be merged, with their number and the limit", async () => {
    const groups = Array.from({ length: GROUPS_MAX + 1 }, (_, index) => [
      { field: "recipient" as const, values: [`0x${index}`], isNegated: false },
      { field: "originChainId" as const, values: [index], isNegated: false },
    ]);
    expect(await listRequests(store.reader, page({ groups: groups.slice(1) }))).to.deep.equal([]);
    for (const list of [
      () => listRequests(store.reader, page({ groups })),
      () => countRequests(store.reader, page({ groups }).filter),
    ]) {
      const failure = await failureOf(list());
      expect(failure).to.include({ code: "QUERY_TOO_EXPENSIVE", flaw: "groups", atMost: GROUPS_MAX });
    }
  });
});

describe("a listing on PostgreSQL", () => {
  it("stops at its time limit with an error, and does not affect other statements", async () => {
    const store = await openStore({
      url: await newPostgresDatabase(),
      onError: (error) => expect.fail(error.message),
    });
    try {
      const failures = await store.db.transaction().execute(async (holder) => {
        // A listing waits for this lock.
        await sql`lock table requests in access exclusive mode`.execute(holder);
        const failed = await Promise.all([
          failureOf(listRequests(store.reader, page({}))),
          failureOf(countRequests(store.reader, EVERY_REQUEST)),
        ]);
        await sql`select from requests`.execute(holder);
        return failed;
      });
      for (const failure of failures) {
        expect(failure).to.include({ code: "QUERY_TOO_EXPENSIVE", flaw: "time", atMost: QUERY_TIMEOUT_MS });
      }
      expect(await listRequests(store.reader, page({}))).to.deep.equal([]);
    } finally {
      await store.close();
    }
  });
});
