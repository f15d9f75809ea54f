import { expect } from "chai";
import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";

import type { OpenDatabase } from "../../../packages/crosscall/src/localnet/store/databases/openDatabase.ts";
import { openPglite } from "../../../packages/crosscall/src/localnet/store/databases/openPglite.ts";
import { openPostgres } from "../../../packages/crosscall/src/localnet/store/databases/openPostgres.ts";
import { migrate } from "../../../packages/crosscall/src/localnet/store/migrate.ts";
import { requestsMigration } from "../../../packages/crosscall/src/localnet/store/migrations/0001_requests.ts";
import { findRequestByOrderId } from "../../../packages/crosscall/src/localnet/store/requests.ts";
import type { StoreSchema } from "../../../packages/crosscall/src/localnet/store/schema.ts";
import { listTransactions } from "../../../packages/crosscall/src/localnet/store/transactions.ts";
import { newPostgresDatabase } from "../../support/postgres.ts";

const amount = (symbol: string, amountUsd: string): object => ({ currency: { symbol }, amountUsd });

const LAST_OF_MAY = "2026-05-31T23:59:59.999Z";
const FIRST_OF_JUNE = "2026-06-01T00:00:00.000Z";

/** An empty database of each kind. */
const EMPTY: Record<string, () => Promise<OpenDatabase>> = {
  PGlite: () => openPglite(undefined),
  PostgreSQL: async () => openPostgres(await newPostgresDatabase(), (error) => expect.fail(error.message)),
};

for (const [kind, open] of Object.entries(EMPTY)) {
  describe(`the migrations of the store on ${kind}`, () => {
    let database: OpenDatabase;
    let db: Kysely<StoreSchema>;

    before(async () => {
      database = await open();
      db = database.db;
      const provider = { getMigrations: () => Promise.resolve({ "0001_requests": requestsMigration }) };
      const { error } = await new Migrator({
        db,
        provider,
        ...(database.schema && { migrationTableSchema: database.schema }),
      }).migrateToLatest();
      expect(error).to.equal(undefined);

      const details = { currencyIn: amount("ETH", "2500.250000"), currencyOut: amount("USDC", "2499.000000") };
      const insert = (id: string, appFees: object[], appUsdE18: string, createdAt: string): Promise<unknown> =>
        sql`
      insert into requests (id, order_id, status, "user", recipient, request_type, trade_type, origin_chain_id,
        destination_chain_id, origin_currency, destination_currency, input_amount, minimum_output_amount,
        expected_output_amount, slippage_tolerance_bps, order_data, details, fees, app_fees, created_at, updated_at)
      values (${id}, ${id}, 'success', 'u', 'r', 'Bridge', 'EXACT_INPUT', 1, 2, 'a', 'b', 1, 1, 1, 0, '{}',
        ${JSON.stringify(details)}, ${JSON.stringify({ app: appUsdE18 })}, ${JSON.stringify(appFees)}, ${createdAt},
        ${createdAt})
      `.execute(db);
      await insert("filled", [{ recipient: "x", bps: "100" }], "25002500999999999999", LAST_OF_MAY);
      await insert("waiting", [], "0", FIRST_OF_JUNE);
      const include = (purpose: string, chainId: number, block: number, timestamp: number): Promise<unknown> =>
        sql`
      insert into transactions (request_id, purpose, chain_id, hash, sender, status, amount, currency, created_at,
        block_number, block_timestamp)
      values ('filled', ${purpose}, ${chainId}, ${purpose}, 's', 'success', 1, 'c', now(), ${block}, ${timestamp})
      `.execute(db);
      await include("deposit", 1, 77, 1_000);
      await include("fill", 2, 88, 1_012);

      await migrate(database);
    });
    after(() => db.destroy());

    it("fill the filter columns from existing quotes and transactions", async () => {
      const common = {
        origin_symbol: "ETH",
        destination_symbol: "USDC",
        amount_usd: "2500.250000",
        api_key_hash: null,
      };
      const rows = await db
        .selectFrom("requests")
        .select([
          "id",
          "origin_symbol",
          "destination_symbol",
          "amount_usd",
          "app_fees_usd",
          "api_key_hash",
          "features",
          "deposit_block",
          "fill_time_seconds",
        ])
        .orderBy("id")
        .execute();
      expect(rows).to.deep.equal([
        {
          ...common,
          id: "filled",
          app_fees_usd: "25.002500",
          features: ["app_fees"],
          deposit_block: 77,
          fill_time_seconds: 12,
        },
        {
          ...common,
          id: "waiting",
          app_fees_usd: "0.000000",
          features: [],
          deposit_block: null,
          fill_time_seconds: null,
        },
      ]);
    });

    it("move each request to the partition of its UTC month, with its order", async () => {
      const { rows } = await sql<{ table: string; id: string }>`
      select tableoid::regclass::text as table, id from requests order by id`.execute(db);
      expect(rows).to.deep.equal([
        { table: "requests_2026_05", id: "filled" },
        { table: "requests_2026_06", id: "waiting" },
      ]);
      const request = await findRequestByOrderId(db, "filled");
      expect(request).to.include({ id: "filled", trade_type: "EXACT_INPUT", input_amount: "1" });
      expect(request?.app_fees).to.deep.equal([{ recipient: "x", bps: "100" }]);
      expect((await listTransactions(db, ["filled"])).map(({ purpose }) => purpose)).to.deep.equal(["deposit", "fill"]);
    });

    it("run once, even if the database is opened repeatedly", async () => {
      await migrate(database);
      expect((await findRequestByOrderId(db, "waiting"))?.status).to.equal("success");
    });
  });
}
