import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { expect } from "chai";
import { sql } from "kysely";

import type { OpenDatabase } from "../../src/store/databases/openDatabase.ts";
import { isNewFolder, openNewPglite, openPglite } from "../../src/store/databases/openPglite.ts";
import { migrate } from "../../src/store/migrate.ts";

describe("a saved database", () => {
  let folder: string;
  let images: URL;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-image-"));
    images = pathToFileURL(`${folder}/`);
  });
  after(() => rm(folder, { recursive: true }));

  it("is made by the first start, and has the schema for the next", async () => {
    await writeFile(join(folder, "store-of-another-version.tar"), "");
    const first = await openNewPglite(undefined, images);
    expect(await countTables(first)).to.equal(0);
    await migrate(first);
    await first.saveImage?.();
    const tables = await countTables(first);
    await first.db.destroy();

    expect(await readdir(folder)).to.have.length(1);
    const second = await openNewPglite(undefined, images);
    expect(await countTables(second)).to.equal(tables);
    expect(second).not.to.have.property("saveImage");
    await second.db.destroy();
  });

  it("is what a new folder starts with", async () => {
    const place = join(folder, "place");
    const first = await openNewPglite(place, images);
    const tables = await countTables(first);
    expect(tables).to.be.greaterThan(20);
    expect(first).not.to.have.property("saveImage");
    await first.db.destroy();

    expect(await isNewFolder(place)).to.equal(false);
    const again = await openPglite(place);
    expect(await countTables(again)).to.equal(tables);
    await again.db.destroy();
    await rm(place, { recursive: true });
  });

  it("is made anew where it does not load", async () => {
    const [name = ""] = await readdir(folder);
    await writeFile(join(folder, name), "not an archive");
    const database = await openNewPglite(undefined, images);
    expect([await countTables(database), await readdir(folder)]).to.deep.equal([0, []]);
    await database.db.destroy();
  });
});

async function countTables({ db }: OpenDatabase): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from information_schema.tables where table_schema = 'public'`.execute(db);
  return rows[0]?.count ?? Number.NaN;
}
