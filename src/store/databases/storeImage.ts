import { createHash } from "node:crypto";
import { openAsBlob, readdirSync, readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import type { PGlite } from "@electric-sql/pglite";

const STORE = new URL("../", import.meta.url);

/**
 * The files of a database in memory as a new store leaves it, which load in a fraction of the time that making them
 * takes.
 *
 * @returns undefined where no process has saved them yet
 */
export async function readStoreImage(): Promise<Blob | undefined> {
  try {
    return await openAsBlob(imagePath());
  } catch {
    return undefined;
  }
}

/** Saves the files of a new store for the next one. A folder that cannot be written costs time only. */
export async function saveStoreImage(database: PGlite): Promise<void> {
  const path = imagePath();
  const part = `${path}.${process.pid}.part`;
  try {
    const image = await database.dumpDataDir("none");
    await mkdir(fileURLToPath(cacheFolder()), { recursive: true });
    await writeFile(part, image.stream());
    await rename(part, path);
  } catch {
    await rm(part, { force: true }).catch(() => undefined);
  }
}

/** Removes an image that does not load. */
export async function removeStoreImage(): Promise<void> {
  await rm(imagePath(), { force: true }).catch(() => undefined);
}

/** Everything that a new store's content depends on is part of the name. */
function imagePath(): string {
  const hash = createHash("sha256");
  for (const name of ["@electric-sql/pglite", "pg-boss"]) {
    hash.update(readFileSync(new URL(import.meta.resolve(name))));
  }
  const migrations = readdirSync(new URL("migrations/", STORE)).toSorted();
  for (const file of [...migrations.map((name) => `migrations/${name}`), sourceOf("migrate"), sourceOf("jobs")]) {
    hash.update(readFileSync(new URL(file, STORE)));
  }
  return fileURLToPath(new URL(`store-${hash.digest("hex").slice(0, 16)}.tar`, cacheFolder()));
}

/** The store's modules end like this one: `.ts` in a checkout, `.js` in a build. */
function sourceOf(name: string): string {
  return `${name}${import.meta.url.slice(import.meta.url.lastIndexOf("."))}`;
}

/** `node_modules/.cache`, where other tools keep such files, too. */
function cacheFolder(): URL {
  const root = import.meta.resolve("crosscall/package.json");
  const isDependency = root.endsWith("/node_modules/crosscall/package.json");
  return new URL(isDependency ? "../.cache/crosscall/" : "node_modules/.cache/crosscall/", root);
}
