import { expect } from "chai";
import { sql } from "kysely";

import { systemClock } from "../../../packages/protocol/src/core/timer.ts";
import { chainClient } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { createLog } from "../../../packages/crosscall/src/localnet/log.ts";
import { followReorg } from "../../../packages/crosscall/src/localnet/solver/deposits/reorg.ts";
import { findRequest, insertRequest } from "../../../packages/crosscall/src/localnet/store/requests/requests.ts";
import { transition } from "../../../packages/crosscall/src/localnet/store/requests/transitions.ts";
import { followChain, recordScannedBlock } from "../../../packages/crosscall/src/localnet/store/scans.ts";
import { openStore, type Store } from "../../../packages/crosscall/src/localnet/store/store.ts";
import { findTransaction, insertTransaction } from "../../../packages/crosscall/src/localnet/store/transactions.ts";
import { newPostgresDatabase } from "../../support/postgres.ts";
import { until } from "../../support/until.ts";
import { origin } from "../../unit/crosscall/localnet/market/fixtures.ts";
import { startAnvil, stopPrograms } from "../support/processes.ts";
import { newOrder, newRequest, newTransaction } from "../support/storeRows.ts";

// Only the database determines the order of the two operations, so the test starts them as close together as
// possible.
describe("a reorg of a failed fill while its refund is signed", () => {
  let store: Store;

  before(async () => {
    store = await openStore({ url: await newPostgresDatabase(), onError: (error) => expect.fail(error.message) });
  });
  after(async () => {
    await store.close();
    await stopPrograms();
  });

  it("pays the refund, but not the fill", async () => {
    const url = (await startAnvil(origin.id)).ready;
    const chain = { ...origin, rpcUrl: url, client: chainClient(origin.id, url) };
    const { hash } = await chain.client.getBlock();
    await followChain(store.db, chain.id, hash);
    await recordScannedBlock(store.db, chain.id, { number: 0, hash });
    await recordScannedBlock(store.db, chain.id, { number: 5, hash: "a removed block" });
    const failed = newRequest("failed", { status: "pending", fail_reason: "TRANSACTION_REVERTED" });
    await insertRequest(store.db, failed, newOrder());
    await insertTransaction(store.db, {
      ...newTransaction("failed", { purpose: "fill", nonce: 0 }),
      hash,
      chain_id: chain.id,
      status: "failure",
      block_number: 5,
    });

    const mayCommit = Promise.withResolvers<undefined>();
    const isWritten = Promise.withResolvers<undefined>();
    const signing = store.db.transaction().execute(async (db) => {
      await insertTransaction(db, newTransaction("failed", { purpose: "refund", nonce: 1 }));
      const at = new Date();
      await transition(db, { requestId: "failed", from: ["pending"], hasFailReason: true, to: "pending", at });
      isWritten.resolve(undefined);
      await mayCommit.promise;
    });
    await isWritten.promise;
    const log = createLog("silent");
    const parts = { store, clock: systemClock, log };
    const reorg = followReorg(parts, chain, await chain.client.getBlock());
    await until(async () => (await countWaiting()) !== 0);
    mayCommit.resolve(undefined);
    await Promise.all([signing, reorg]);

    expect((await findRequest(store.db, "failed"))?.status).to.equal("pending");
    expect((await findTransaction(store.db, "failed", "refund"))?.status).to.equal("pending");
  });

  /** Returns the number of database connections that wait for a lock. */
  async function countWaiting(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(store.db);
    return rows[0]?.count ?? 0;
  }
});
