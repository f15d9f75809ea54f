import { expect } from "chai";
import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from "kysely";

import type { QuoteRequest } from "../../../packages/protocol/src/quote/quoteRequest.ts";
import {
  findAddressesInSweep,
  findDepositAddressOf,
  findGasLeft,
  findWatchedAddresses,
  listWatchedAddresses,
} from "../../../packages/crosscall/src/localnet/store/depositAddresses.ts";
import { ensureMonth } from "../../../packages/crosscall/src/localnet/store/requests/months.ts";
import { findExpectedPayments } from "../../../packages/crosscall/src/localnet/store/requests/requests.ts";
import type { Database, StoreSchema } from "../../../packages/crosscall/src/localnet/store/schema.ts";
import { openStore, type Store } from "../../../packages/crosscall/src/localnet/store/store.ts";
import { newPostgresDatabase } from "../../support/postgres.ts";

const REQUESTS = 60_000;
const MONTHS = ["2026-08", "2026-09", "2026-10", "2026-11"];
const NOW = new Date("2026-11-28T00:00:00.000Z");

/**
 * Maximum number of rows read. Allows for 64 addresses with up to four rows each, and for payments in progress on
 * the chain.
 */
const ROWS_MAX = 1_000;

interface PlanNode {
  readonly "Node Type": string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly PlanNode[];
}

/**
 * One third of the requests were never paid, and another third were paid through deposit addresses. Some payments
 * are in progress.
 */
describe("the database reads of the deposit address watch", () => {
  let store: Store;
  let compiled: CompiledQuery[] = [];
  /** Runs no statement. */
  const recorder: Database = new Kysely<StoreSchema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => {
      compiled.push(query);
    },
  });

  before(async () => {
    store = await openStore({
      url: await newPostgresDatabase(),
      onError: (error) => expect.fail(error.message),
    });
    const { db } = store;
    for (const month of MONTHS) await ensureMonth(db, new Date(`${month}-15T00:00:00.000Z`));
    const createdAt = sql`timestamptz '2026-08-01 00:00:00Z' + (n % 115) * interval '1 day'`;
    await sql`
      insert into request_ids select 'r' || n, 'o' || n, ${createdAt}
      from generate_series(1, ${sql.lit(REQUESTS)}) as n`.execute(db);
    await sql`
      insert into requests (id, order_id, status, "user", recipient, request_type, origin_chain_id,
        destination_chain_id, origin_currency, destination_currency, created_at, updated_at, origin_symbol,
        destination_symbol, amount_usd, app_fees_usd, features, deposit_address)
      select 'r' || n, 'o' || n,
        case when n % 3 = 0 then 'waiting' when n % 3000 = 1 then 'depositing' else 'success' end, 'u', 'u', 'Bridge',
        1, case when n % 5 = 0 and n % 3 <> 0 then 1 else 2 end, 'c', 'c', ${createdAt}, ${createdAt}, 'S', 'S', 1, 0,
        '{}', case when n % 3 = 1 or n % 6 = 0 then '0xA' || n end
      from generate_series(1, ${sql.lit(REQUESTS)}) as n`.execute(db);
    await sql`
      insert into deposit_addresses (address, request_id, request, watched_until)
      select '0xa' || n, 'r' || n, '{}', ${createdAt} + interval '30 days'
      from generate_series(1, ${sql.lit(REQUESTS)}) as n where n % 3 = 1 or n % 6 = 0`.execute(db);
    await sql`
      insert into transactions (request_id, purpose, chain_id, hash, sender, status, signed, amount, fee, currency,
        created_at)
      select 'r' || n, purpose, 1, purpose || n, 's',
        case when n % 3000 = 1 and purpose = 'sweep' then 'pending' else 'success' end,
        case when purpose <> 'payment' then '0x' end, 5, 3, 'c', now()
      from generate_series(1, ${sql.lit(REQUESTS)}) as n, unnest(array['payment', 'funding', 'sweep', 'fill']) as purpose
      where n % 3 = 1`.execute(db);
    await sql`analyze`.execute(db);
  });
  after(() => store.close());

  const some = Array.from({ length: 64 }, (_, index) => `0xa${index * 3 + 1}`);

  /** Returns the number of rows that a function's SQL statement reads from tables and indexes. */
  async function rowsRead(run: (db: Database) => Promise<unknown>): Promise<number> {
    compiled = [];
    await run(recorder);
    expect(compiled).to.have.length(1);
    const [query] = compiled;
    const explain = CompiledQuery.raw(`explain (analyze, format json) ${query?.sql}`, [...(query?.parameters ?? [])]);
    const { rows } = await store.db.executeQuery<{ "QUERY PLAN": readonly { readonly Plan: PlanNode }[] }>(explain);
    return rows.flatMap((row) => row["QUERY PLAN"]).reduce((sum, { Plan }) => sum + rowsOf(Plan), 0);
  }

  const reads: Record<string, (db: Database) => Promise<unknown>> = {
    "the expected payments of a chain": (db) => findExpectedPayments(db, 1, NOW),
    "the expected payments of a chain without same-chain requests": (db) => findExpectedPayments(db, 7, NOW),
    "the expected payments of a chain after all addresses expired": (db) =>
      findExpectedPayments(db, 1, new Date("2027-01-01T00:00:00.000Z")),
    "the most recent addresses": (db) => listWatchedAddresses(db, { now: NOW, limit: 64 }),
    "part of a pass": (db) =>
      listWatchedAddresses(db, {
        now: NOW,
        limit: 64,
        after: { address: "0xa5", request_id: "", request: {} as QuoteRequest, watched_until: new Date("2026-12-05") },
      }),
    "named addresses": (db) => findWatchedAddresses(db, some, NOW),
    "the address of a request": (db) => findDepositAddressOf(db, "r7"),
    "the addresses with a payment in progress": (db) => findAddressesInSweep(db, 1, some),
    "the remaining gas money": (db) => findGasLeft(db, 1, some),
  };
  for (const [name, run] of Object.entries(reads)) {
    it(`read a limited number of rows for ${name}`, async () => {
      expect(await rowsRead(run)).to.be.within(0, ROWS_MAX);
    });
  }

  it("include the addresses with a payment in progress, and the gas funds of each address", async () => {
    const [paid = "", other = ""] = some;
    expect(await findAddressesInSweep(store.db, 1, some)).to.deep.equal(new Set([paid]));
    expect(await findGasLeft(store.db, 1, some.slice(0, 2))).to.deep.equal(
      new Map([
        [paid, 5n],
        [other, 2n],
      ]),
    );
  });
});

function rowsOf(node: PlanNode): number {
  const own = node["Node Type"].includes("Scan")
    ? (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0)) *
      node["Actual Loops"]
    : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), own);
}
