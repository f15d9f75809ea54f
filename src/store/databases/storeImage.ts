import { createHash } from "node:crypto";
import { openAsBlob, readdirSync, readFileSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import type { PGlite } from "@electric-sql/pglite";

const STORE = new URL("../", import.meta.url);

/**
 * Reads the files of a new database at this version's schema. They load in a fraction of the time that creating them
 * takes.
 *
 * @returns undefined where no process has saved them yet
 */
export async function readStoreImage(folder: URL): Promise<Blob | undefined> {
  try {
    return await openAsBlob(imagePath(folder));
  } catch {
    return undefined;
  }
}

/** Saves the files of a new database, and removes those of other versions. A folder that cannot be written is no error. */
export async function saveStoreImage(database: PGlite, folder: URL): Promise<void> {
  const path = imagePath(folder);
  const part = `${path}.${process.pid}.part`;
  try {
    await dropTemplates(database);
    const image = await database.dumpDataDir("none");
    await mkdir(folder, { recursive: true });
    await writeFile(part, image.stream());
    await rename(part, path);
    const others = (await readdir(folder)).filter((name) => name.endsWith(".tar") && !path.endsWith(name));
    await Promise.all(others.map((name) => rm(new URL(name, folder), { force: true })));
  } catch {
    await rm(part, { force: true }).catch(() => undefined);
  }
}

/** Drops the databases that new ones are copied from, two thirds of the files: nothing here makes one. */
async function dropTemplates(database: PGlite): Promise<void> {
  await database.exec("UPDATE pg_database SET datistemplate = false");
  // Each alone, because PostgreSQL drops no database in a transaction.
  await database.exec("DROP DATABASE template0");
  await database.exec("DROP DATABASE template1");
  await database.exec("CHECKPOINT");
}

/** Removes an image that does not load. */
export async function removeStoreImage(folder: URL): Promise<void> {
  await rm(imagePath(folder), { force: true }).catch(() => undefined);
}

/** The name depends on everything that a new database's content depends on: the store, and the versions of packages. */
function imagePath(folder: URL): string {
  const sources = readdirSync(STORE, { recursive: true, encoding: "utf8" }).filter((name) => /\.[jt]s$/u.test(name));
  const files = [new URL(import.meta.resolve("crosscall/package.json"))].concat(
    sources.toSorted().map((name) => new URL(name, STORE)),
  );
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(file));
  return fileURLToPath(new URL(`store-${hash.digest("hex").slice(0, 16)}.tar`, folder));
}

/** `node_modules/.cache/crosscall/`, of the checkout or of the project that depends on the package. */
export function storeImageFolder(): URL {
  const root = import.meta.resolve("crosscall/package.json");
  const isDependency = root.endsWith("/node_modules/crosscall/package.json");
  return new URL(isDependency ? "../.cache/crosscall/" : "node_modules/.cache/crosscall/", root);
}
