import { PGlite } from "@electric-sql/pglite";
import { expect } from "chai";
import { sql } from "kysely";

import { prepareStatements } from "../../../packages/crosscall/src/localnet/store/databases/pgliteProtocol.ts";
import { openStore } from "../../../packages/crosscall/src/localnet/store/store.ts";
import { newPostgresDatabase } from "../../support/postgres.ts";
import { failureOf } from "../support/failureOf.ts";

describe("prepared statements in PGlite", () => {
  let pglite: PGlite;

  before(async () => {
    pglite = await PGlite.create("memory://");
    prepareStatements(pglite);
  });
  after(() => pglite.close());

  beforeEach(async () => {
    await pglite.exec("drop table if exists item; create table item (id int primary key, name text)");
    await pglite.query("insert into item values ($1, $2), ($3, $4)", [1, "one", 2, null]);
  });

  const prepared = async (text: string): Promise<number> => {
    const { rows } = await pglite.query<{ uses: number }>(
      "select (generic_plans + custom_plans)::int as uses from pg_prepared_statements where statement = $1",
      [text],
    );
    return rows.reduce((sum, { uses }) => sum + uses, 0);
  };

  it("return the same results as unprepared statements on each use", async () => {
    const text = "select * from item where id = $1";
    for (const id of [1, 2, 1, 3]) {
      const { rows, fields } = await pglite.query(text, [id]);
      expect(rows).to.deep.equal(
        [
          { id: 1, name: "one" },
          { id: 2, name: null },
        ].filter((row) => row.id === id),
      );
      expect(fields.map(({ name }) => name)).to.deep.equal(["id", "name"]);
    }
    expect(await prepared(text)).to.equal(4);
    expect((await pglite.query("update item set name = $1", ["all"])).affectedRows).to.equal(2);
    expect((await pglite.query("update item set name = $1", ["again"])).affectedRows).to.equal(2);
  });

  it("work again after an error, and after a failed transaction", async () => {
    const insert = "insert into item values ($1, $2)";
    const invalid = "select nothing from item where id = $1";
    for (let round = 0; round < 3; round += 1) {
      expect(await failureOf(pglite.query(insert, [1, "again"]))).to.have.property("code", "23505");
      expect(await failureOf(pglite.query(invalid, [1]))).to.have.property("code", "42703");
      const failed = pglite.transaction(async (transaction) => {
        await transaction.query(insert, [10, "ten"]);
        await transaction.query(insert, [10, "ten"]);
      });
      expect(await failureOf(failed)).to.have.property("code", "23505");
      await pglite.query(insert, [20 + round, null]);
      expect((await pglite.query("select id from item where id >= 10")).rows).to.have.length(round + 1);
    }
  });

  it("adapt to changed columns", async () => {
    const text = "select * from item where id = $1";
    expect((await pglite.query(text, [1])).rows).to.deep.equal([{ id: 1, name: "one" }]);
    await pglite.query("alter table item add column size int default 7");
    expect((await pglite.query(text, [1])).rows).to.deep.equal([{ id: 1, name: "one", size: 7 }]);
    await pglite.exec("alter table item drop column name");
    expect((await pglite.query(text, [1])).rows).to.deep.equal([{ id: 1, size: 7 }]);
  });

  it("are planned again after many uses, and do not accumulate", async () => {
    for (let id = 0; id < 1_300; id += 1) await pglite.query("select name from item where id = $1", [id]);
    const { rows } = await pglite.query("select count(*)::int as n from pg_prepared_statements where statement = $1", [
      "select name from item where id = $1",
    ]);
    expect(rows).to.deep.equal([{ n: 1 }]);
    for (let at = 0; at < 700; at += 1) await pglite.query(`select ${at} as value`);
    const all = await pglite.query<{ n: number }>("select count(*)::int as n from pg_prepared_statements");
    expect(all.rows[0]?.n).to.be.at.most(520);
  });
});

describe("prepared statements in PostgreSQL", () => {
  it("are created in a limited number, and only for statements that are used again", async () => {
    const store = await openStore({
      url: await newPostgresDatabase(),
      onError: (error) => expect.fail(error.message),
    });
    // On one connection.
    const counts = await store.db.transaction().execute(async (db) => {
      const countOf = async (comment: string): Promise<number> => {
        const { rows } = await sql<{ count: number }>`
          select count(*) as count from pg_prepared_statements where statement like ${`%/* ${comment} %`}`.execute(db);
        return rows[0]?.count ?? -1;
      };
      const run = (comment: string) => sql`select ${1}::int ${sql.raw(`/* ${comment} */`)}`.execute(db);
      await run("once -");
      const once = await countOf("once");
      await run("twice -");
      await run("twice -");
      const twice = await countOf("twice");
      for (let index = 0; index < 300; index += 1) {
        await run(`many ${index}`);
        await run(`many ${index}`);
      }
      return { once, twice, many: await countOf("many") };
    });
    expect(counts).to.include({ once: 0, twice: 1 });
    expect(counts.many).to.be.within(100, 200);
    await store.close();
  });
});
