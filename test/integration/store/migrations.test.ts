import { expect } from "chai";
import { sql } from "kysely";

import { DatabaseError } from "../../../packages/crosscall/src/localnet/store/databaseError.ts";
import type { OpenDatabase } from "../../../packages/crosscall/src/localnet/store/databases/openDatabase.ts";
import { openPglite } from "../../../packages/crosscall/src/localnet/store/databases/openPglite.ts";
import { openPostgres } from "../../../packages/crosscall/src/localnet/store/databases/openPostgres.ts";
import { migrate } from "../../../packages/crosscall/src/localnet/store/migrate.ts";
import { newPostgresDatabase } from "../../support/postgres.ts";

/** Creates an empty database of each kind. */
const EMPTY: Record<string, () => Promise<OpenDatabase>> = {
  PGlite: () => openPglite(undefined),
  PostgreSQL: async () => openPostgres(await newPostgresDatabase(), (error) => expect.fail(error.message)),
};

for (const [kind, open] of Object.entries(EMPTY)) {
  describe(`the store's migrations on ${kind}`, () => {
    let database: OpenDatabase;

    beforeEach(async () => {
      database = await open();
    });
    afterEach(() => database.close());

    const flawOf = async (migrating: Promise<void>): Promise<unknown> => {
      const error: unknown = await migrating.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      return error instanceof DatabaseError ? error.flaw : error;
    };
    const migrationNames = async (): Promise<string[]> => {
      const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
        database.db,
      );
      return rows.map(({ name }) => name);
    };

    it("run only once, even if the database is opened repeatedly", async () => {
      await migrate(database);
      await migrate(database);
      expect(await migrationNames()).to.deep.equal(["0001_schema"]);
      expect(await database.db.selectFrom("requests").selectAll().execute()).to.deep.equal([]);
    });

    it("create a month's table in UTC", async () => {
      await migrate(database);
      for (const at of ["2026-05-31T23:59:59.999Z", "2026-06-01T00:00:00.000Z", "2026-06-01T00:00:00.000Z"]) {
        await sql`select ensure_requests_month(${at}::timestamptz)`.execute(database.db);
      }
      const { rows } = await sql<{ table: string }>`
        select inhrelid::regclass::text as table from pg_inherits where inhparent = 'requests'::regclass
        order by 1`.execute(database.db);
      expect(rows.map(({ table }) => table)).to.deep.equal(["requests_2026_05", "requests_2026_06"]);
    });

    it("reject a database from a development version, and keep its tables", async () => {
      await sql`create table kysely_migration (name text primary key, timestamp text not null)`.execute(database.db);
      await sql`insert into kysely_migration values ('0001_requests', '2026-01-01T00:00:00.000Z')`.execute(database.db);
      expect(await flawOf(migrate(database))).to.equal("unknown-schema");
      expect(await migrationNames()).to.deep.equal(["0001_requests"]);
    });

    it("reject a database from a newer version", async () => {
      await migrate(database);
      await sql`insert into kysely_migration values ('9999_newer', '2026-01-01T00:00:00.000Z')`.execute(database.db);
      expect(await flawOf(migrate(database))).to.equal("newer-schema");
    });
  });
}
