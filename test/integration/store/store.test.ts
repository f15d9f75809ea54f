import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect } from "chai";
import { sql } from "kysely";
import pg from "pg";

import type { RequestStatus } from "../../../packages/protocol/src/request/requestStatus.ts";
import {
  findRequest,
  insertRequest,
  listUnfinishedRequests,
} from "../../../packages/crosscall/src/localnet/store/requests/requests.ts";
import { transition } from "../../../packages/crosscall/src/localnet/store/requests/transitions.ts";
import {
  findScannedBlock,
  followChain,
  recordScannedBlock,
} from "../../../packages/crosscall/src/localnet/store/scans.ts";
import { openStore, type Store } from "../../../packages/crosscall/src/localnet/store/store.ts";
import {
  findTransaction,
  insertTransaction,
  lockNonces,
} from "../../../packages/crosscall/src/localnet/store/transactions.ts";
import { newPostgresDatabase } from "../../support/postgres.ts";
import { failureOf } from "../support/failureOf.ts";
import { onEachDatabase } from "../support/onEachDatabase.ts";
import { startProgram, stopPrograms } from "../support/processes.ts";
import { newOrder, newRequest, newTransaction } from "../support/storeRows.ts";
import { until } from "../../support/until.ts";

const AT = new Date(1_800_000_000_000);

onEachDatabase("the store", (open) => {
  let store: Store;

  before(async () => {
    store = await open();
  });
  after(() => store.close());

  it("stores the largest amount exactly", async () => {
    const greatest = 2n ** 256n - 1n;
    await insertRequest(store.db, newRequest("amount"), newOrder({ input_amount: greatest }));
    expect((await findRequest(store.db, "amount"))?.input_amount).to.equal(greatest.toString());
  });

  it("stores requests from any month, with unique ids and orderIds across months", async () => {
    const made = (id: string, at: string, change = {}) =>
      insertRequest(store.db, newRequest(id, { created_at: new Date(at), ...change }), newOrder());
    await made("epoch", "1970-01-01T00:00:00.000Z");
    await made("far", "9999-12-31T23:59:59.999Z");
    expect((await findRequest(store.db, "far"))?.created_at).to.deep.equal(new Date("9999-12-31T23:59:59.999Z"));
    expect(await failureOf(made("epoch", "2026-11-21T00:00:00.000Z"))).to.have.property("code", "23505");
    const sameOrder = { order_id: "order of far" };
    expect(await failureOf(made("other", "2026-11-21T00:00:00.000Z", sameOrder))).to.have.property("code", "23505");
    expect(await findRequest(store.db, "other")).to.equal(undefined);
  });

  it("stores one fill per request, even if a second fill is attempted", async () => {
    await insertRequest(store.db, newRequest("fill"), newOrder());
    expect(await insertTransaction(store.db, newTransaction("fill", { purpose: "fill", nonce: 1 }))).to.equal(true);
    expect(await insertTransaction(store.db, newTransaction("fill", { purpose: "fill", nonce: 2 }))).to.equal(false);
    expect((await findTransaction(store.db, "fill", "fill"))?.nonce).to.equal(1);
  });

  it("never assigns one nonce to two transactions", async () => {
    await insertRequest(store.db, newRequest("nonce-a"), newOrder());
    await insertRequest(store.db, newRequest("nonce-b"), newOrder());
    await insertTransaction(store.db, newTransaction("nonce-a", { purpose: "fill", nonce: 7 }));
    await failureOf(insertTransaction(store.db, newTransaction("nonce-b", { purpose: "fill", nonce: 7 })));
    expect(await lockNonces(store.db, 31_338, "0xsolver")).to.equal(7);
    expect(await lockNonces(store.db, 31_339, "0xsolver")).to.equal(undefined);
  });

  it("changes a status only from an allowed status", async () => {
    await insertRequest(store.db, newRequest("move"), newOrder());
    const move = { requestId: "move", at: AT } as const;
    expect(await transition(store.db, { ...move, from: ["submitted"], to: "success" })).to.equal(false);
    expect(await transition(store.db, { ...move, from: ["waiting"], to: "pending" })).to.equal(true);
    expect(await listUnfinishedRequests(store.db)).to.deep.equal(["move"]);
    expect(await transition(store.db, { ...move, from: ["pending"], hasFailReason: true, to: "refund" })).to.equal(
      false,
    );
    expect(
      await transition(store.db, {
        ...move,
        from: ["pending"],
        hasFailReason: false,
        to: "pending",
        set: { fail_reason: "EXECUTION_REVERTED" },
      }),
    ).to.equal(true);
    expect(await transition(store.db, { ...move, from: ["pending"], hasFailReason: false, to: "submitted" })).to.equal(
      false,
    );
    expect(await transition(store.db, { ...move, from: ["pending"], hasFailReason: true, to: "refund" })).to.equal(
      true,
    );
    expect(await listUnfinishedRequests(store.db)).to.deep.equal([]);
  });

  it("stores the number of the last scanned block of a chain", async () => {
    await followChain(store.db, 5, "0xaa");
    expect(await findScannedBlock(store.db, 5)).to.equal(-1);
    await recordScannedBlock(store.db, 5, { number: 12, hash: "0x12" });
    await followChain(store.db, 5, "0xaa");
    expect(await findScannedBlock(store.db, 5)).to.equal(12);
    expect(await failureOf(followChain(store.db, 5, "0xbb"))).to.have.property("code", "INVALID_STATE");
  });

  it("retries a request's job regardless of the number of failures", async () => {
    const { rows } = await sql<{ schema: string }>`
      select table_schema as schema from information_schema.tables where table_name = 'job'`.execute(store.db);
    const jobs = sql.table(`${rows[0]?.schema}.job`);
    await store.jobs.add({ requestId: "away" });
    await sql`update ${jobs} set retry_count = 10000 where data->>'requestId' = 'away'`.execute(store.db);
    const worker = await store.jobs.work(() => Promise.reject(new Error("the chain is down")));
    const stateOf = async () => {
      const found = await sql<{ state: string }>`
        select state::text as state from ${jobs} where data->>'requestId' = 'away'`.execute(store.db);
      return found.rows[0]?.state;
    };
    const state = await until(async () => {
      const found = await stateOf();
      return found !== "created" && found !== "active" && found;
    });
    await worker.stop();
    expect(state).to.equal("retry");
  });

  it("reports the number of jobs in each existing queue", async () => {
    expect([...(await store.queueDepths()).keys()].sort()).to.deep.equal(["advance-request", "deliver-webhook"]);
    await (await store.replays()).add({ campaignId: "of many", itemId: "1" });
    expect((await store.queueDepths()).get("replay-fill")).to.equal(1);
  });

  it("runs a job only if the transaction that added the job commits", async () => {
    const worked: string[] = [];
    await store.jobs.work(({ requestId }) => {
      worked.push(requestId);
      return Promise.resolve();
    });
    await failureOf(
      store.db.transaction().execute(async (transaction) => {
        await store.jobs.add({ requestId: "rolled back" }, transaction);
        throw new Error("roll back");
      }),
    );
    await store.db.transaction().execute((transaction) => store.jobs.add({ requestId: "committed" }, transaction));
    await until(() => worked.length !== 0);
    expect(worked).to.deep.equal(["committed"]);
  });
});

describe("a store in a folder", () => {
  after(() => stopPrograms());

  it("persists after it is closed, runs jobs with the store's own settings, and keeps jobs that wait for years", async () => {
    const folder = await mkdtemp(join(tmpdir(), "crosscall-store-"));
    const options = { folder, onError: (error: Error) => expect.fail(error.message) };
    const tableOf = async ({ db }: Store, table: string) => {
      const { rows } = await sql<{ schema: string }>`
        select table_schema as schema from information_schema.tables where table_name = 'queue'`.execute(db);
      return sql.table(`${rows[0]?.schema}.${table}`);
    };
    const first = await openStore(options);
    await insertRequest(first.db, newRequest("kept"), newOrder());
    // Simulates a queue created by an earlier version.
    await sql`update ${await tableOf(first, "queue")} set retry_limit = 2, retention_seconds = 60`.execute(first.db);
    await first.close();
    const second = await openStore(options);
    expect((await findRequest(second.db, "kept"))?.id).to.equal("kept");
    await second.jobs.add({ requestId: "waiting" });
    const { rows } = await sql<{ retry_limit: number; years: number }>`
      select retry_limit, (extract(epoch from keep_until - created_on) / 86400 / 365)::int as years
      from ${await tableOf(second, "job")} where data->>'requestId' = 'waiting'`.execute(second.db);
    expect(rows).to.deep.equal([{ retry_limit: 1_000_000, years: 10 }]);
    await second.close();
    await rm(folder, { recursive: true });
  });

  it("rejects a second process, even after a crash, and names the process that uses the folder", async () => {
    const folder = await mkdtemp(join(tmpdir(), "crosscall-store-"));
    const program = fileURLToPath(new URL("../support/holdFolder.ts", import.meta.url));
    const first = await startProgram(process.execPath, [program, folder, "http://127.0.0.1:1"], (line) => line);
    const second = await failureOf(openStore({ folder, onError: () => undefined }));
    expect(second).to.include({ code: "DATABASE_UNUSABLE", flaw: "in-use", database: folder });
    expect(second).to.have.property("owner").deep.equal({ pid: first.child.pid, url: "http://127.0.0.1:1" });
    await first.stop("SIGKILL");
    const third = await openStore({ folder, onError: (error) => expect.fail(error.message) });
    const inSameProcess = await failureOf(openStore({ folder, onError: () => undefined }));
    expect(inSameProcess).to.have.property("owner").deep.equal({ pid: process.pid });
    await third.close();
    await rm(folder, { recursive: true });
  });

  it("rejects a folder that is not a database", async () => {
    const failure = await failureOf(openStore({ folder: "/dev/null/here", onError: () => undefined }));
    expect(failure).to.have.property("code", "INVALID_STATE");
  });
});

describe("a store in PostgreSQL", () => {
  const open = async (change: (url: URL) => void) => {
    const url = new URL(await newPostgresDatabase());
    change(url);
    return openStore({ url: url.href, onError: () => undefined });
  };

  for (const [flaw, change] of Object.entries<(url: URL) => void>({
    unreachable: (url) => (url.port = "1"),
    "access-denied": (url) => (url.password = "secret"),
    missing: (url) => (url.pathname = "/nowhere"),
  })) {
    it(`reports that it is ${flaw}, without revealing its password`, async () => {
      const failure = await failureOf(open(change));
      expect(failure).to.include({ code: "DATABASE_UNUSABLE", flaw });
      expect(JSON.stringify(failure)).to.match(/postgres:\/\/crosscall@127/u);
    });
  }

  it("does not change a database that a newer version wrote", async () => {
    const url = await newPostgresDatabase();
    const store = await openStore({ url, onError: () => undefined });
    await sql`insert into kysely_migration (name, timestamp) values ('9999_later', '')`.execute(store.db);
    await store.close();
    expect(await failureOf(openStore({ url, onError: () => undefined }))).to.include({
      code: "DATABASE_UNUSABLE",
      flaw: "newer-schema",
    });
  });

  it("stays in its own schemas, separate from other tables", async () => {
    const url = await newPostgresDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("create table public.requests (mine int); create table public.kysely_migration (name text)");
    const store = await openStore({ url, onError: () => undefined });
    await insertRequest(store.db, newRequest("beside"), newOrder());
    await store.close();
    const { rows } = await client.query(
      "select id from crosscall.requests union all select mine::text from public.requests",
    );
    expect(rows).to.deep.equal([{ id: "beside" }]);
    await client.end();
  });

  it("can be opened by several processes concurrently on an empty database", async () => {
    const url = await newPostgresDatabase();
    const stores = await Promise.all([1, 2, 3].map(() => openStore({ url, onError: () => undefined })));
    await Promise.all(
      stores.map((store, index) => insertRequest(store.db, newRequest(`request ${index}`), newOrder())),
    );
    for (const store of stores) expect(await findRequest(store.db, "request 2")).to.include({ id: "request 2" });
    await Promise.all(stores.map((store) => store.close()));
  });

  it("reports a session that ended between the statements of a transaction, and opens a new session", async () => {
    const url = await newPostgresDatabase();
    const store = await openStore({ url, onError: () => undefined });
    const lost = store.db.transaction().execute(async (db) => {
      await insertRequest(db, newRequest("lost"), newOrder());
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query("select pg_terminate_backend($1, 5000)", [rows[0]?.pid]);
      await client.end();
      await findRequest(db, "lost");
    });
    expect(await failureOf(lost)).to.include({ code: "DATABASE_UNUSABLE", flaw: "connection-lost" });
    expect(await findRequest(store.db, "lost")).to.equal(undefined);
    await store.close();
  });

  it("reports that it is read-only, for example on a standby server", async () => {
    const store = await openStore({ url: await newPostgresDatabase(), onError: () => undefined });
    const change = store.db.transaction().execute(async (db) => {
      await sql`set transaction read only`.execute(db);
      await insertRequest(db, newRequest("read-only"), newOrder());
    });
    expect(await failureOf(change)).to.include({ code: "DATABASE_UNUSABLE", flaw: "read-only" });
    await store.close();
  });

  it("grants a lease to one process, and to another once the first releases it, loses its connection or exits", async () => {
    const url = await newPostgresDatabase();
    const stores = await Promise.all([1, 2].map(() => openStore({ url, onError: () => undefined })));
    const gains: [number, number] = [0, 0];
    const leases = await Promise.all(
      stores.map((store, index) => store.lease("work", () => (gains[index === 0 ? 0 : 1] += 1))),
    );
    const held = (): number[] => leases.flatMap((lease, index) => (lease.isHeld() ? [index] : []));
    const [first = -1] = held();
    const other = 1 - first;
    expect(held()).to.deep.equal([first]);

    await leases[first]?.yield();
    await until(() => held().length > 0);
    expect(held()).to.deep.equal([other]);

    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'");
    await client.end();
    await until(() => gains[0] + gains[1] >= 3);
    const [last = -1] = held();
    await stores[last]?.close();
    await until(() => leases[1 - last]?.isHeld() === true);
    await stores[1 - last]?.close();
  });

  it("notifies every process of a change, and of a gap after a lost connection", async () => {
    const url = await newPostgresDatabase();
    const [writer, reader] = await Promise.all([1, 2].map(() => openStore({ url, onError: () => undefined })));
    if (writer === undefined || reader === undefined) throw new Error("no stores");
    const heard: unknown[] = [];
    const arrivals: (() => void)[] = [];
    const arrival = (what: unknown) => {
      heard.push(what);
      arrivals.shift()?.();
    };
    const next = (act: () => Promise<unknown>) =>
      Promise.all([new Promise<void>((resolve) => arrivals.push(resolve)), act()]);
    const listening = await reader.onStatusChange({ onChange: arrival, onGap: () => arrival("gap") });
    await insertRequest(writer.db, newRequest("notified"), newOrder());
    const move = (to: RequestStatus) =>
      transition(writer.db, { requestId: "notified", from: ["waiting", "pending"], to, at: AT });
    await next(() => move("pending"));
    await next(() =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where query ilike 'listen "request_status"'`.execute(writer.db),
    );
    await next(() => move("submitted"));
    const change = { requestId: "notified", updatedAt: AT.getTime(), webhookKeyHash: null };
    expect(heard).to.deep.equal([{ ...change, status: "pending" }, "gap", { ...change, status: "submitted" }]);
    await listening.stop();
    await Promise.all([writer.close(), reader.close()]);
  });
});
