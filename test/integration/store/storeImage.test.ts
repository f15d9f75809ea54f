import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { expect } from "chai";
import { sql } from "kysely";

import type { OpenDatabase } from "../../../packages/crosscall/src/localnet/store/databases/openDatabase.ts";
import {
  isNewFolder,
  openNewPglite,
  openPglite,
} from "../../../packages/crosscall/src/localnet/store/databases/openPglite.ts";
import { migrate } from "../../../packages/crosscall/src/localnet/store/migrate.ts";

describe("a saved database image", () => {
  let folder: string;
  let images: URL;
  let prepared = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-image-"));
    images = pathToFileURL(`${folder}/`);
  });
  after(() => rm(folder, { recursive: true }));

  function open(place?: string): Promise<OpenDatabase> {
    return openNewPglite(
      place,
      async (database) => {
        prepared += 1;
        await migrate(database);
      },
      images,
    );
  }

  it("is created by the first start, and used by later starts", async () => {
    await writeFile(join(folder, "store-of-another-version.image"), "");
    for (let start = 0; start < 2; start += 1) {
      const database = await open();
      expect(await countTables(database)).to.be.greaterThan(20);
      await database.db.destroy();
    }
    expect(prepared).to.equal(1);
    expect(await readdir(folder)).to.have.length(1);
  });

  it("is not changed by writes to a database that was created from it", async () => {
    const [first, second] = [await open(), await open()];
    await first.db
      .insertInto("mirrors")
      .values({ source: "https://example.com", api_key_hash: "", updated_to: new Date() })
      .execute();
    const third = await open();
    for (const { db } of [second, third])
      expect(await db.selectFrom("mirrors").selectAll().execute()).to.have.length(0);
    for (const { db } of [first, second, third]) await db.destroy();
  });

  it("initializes a new folder", async () => {
    const place = join(folder, "place");
    const first = await open(place);
    const tables = await countTables(first);
    expect(tables).to.be.greaterThan(20);
    await first.db.destroy();

    expect(await isNewFolder(place)).to.equal(false);
    const again = await openPglite(place);
    expect(await countTables(again)).to.equal(tables);
    await again.db.destroy();
    await rm(place, { recursive: true });
    expect(prepared).to.equal(1);
  });

  it("is created again if it cannot be loaded", async () => {
    const [name = ""] = await readdir(folder);
    await writeFile(join(folder, name), "not a database");
    const database = await open();
    expect(await countTables(database)).to.be.greaterThan(20);
    expect(prepared).to.equal(2);
    await database.db.destroy();
  });
});

async function countTables({ db }: OpenDatabase): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from information_schema.tables where table_schema = 'public'`.execute(db);
  return rows[0]?.count ?? Number.NaN;
}
