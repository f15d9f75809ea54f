import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { PGlite } from "@electric-sql/pglite";

import { BUILD_ROOT } from "../../../artifacts.ts";

const STORE = new URL("../", import.meta.url);

export const DATA = "/pglite/data";

export interface StoreImage {
  /** Entries of the image. Folders come before their contents. */
  readonly entries: readonly ImageEntry[];
  readonly bytes: Uint8Array;
}

interface ImageEntry {
  readonly path: string;
  readonly size?: number;
  /** Number of bytes that the image contains; the rest are zero. */
  readonly kept?: number;
}

/** The package does not export these types. */
export interface ProgramFiles {
  readdir(path: string): string[];
  stat(path: string): { readonly mode: number };
  isDir(mode: number): boolean;
  readFile(path: string): Uint8Array;
  mkdirTree(path: string, mode: number): void;
  mkdir(path: string, mode: number): void;
  writeFile(path: string, bytes: Uint8Array, options: { readonly canOwn: boolean }): void;
  truncate(path: string, size: number): void;
}

export interface ImageTarget {
  mkdir(path: string, mode: number): void;
  /** Loads an image. Takes ownership of its bytes. */
  writeFile(path: string, bytes: Uint8Array): void;
  truncate(path: string, size: number): void;
}

/** Loads saved files, which takes a tenth of the time to create them. */
export async function readStoreImage(folder: URL): Promise<StoreImage | undefined> {
  try {
    const content = await readFile(imagePath(folder));
    const end = content.indexOf("\n");
    const entries = JSON.parse(content.toString("utf8", 0, end)) as readonly ImageEntry[];
    const bytes = content.subarray(end + 1);
    return entries.reduce((sum, { kept = 0 }) => sum + kept, 0) === bytes.length ? { entries, bytes } : undefined;
  } catch {
    return undefined;
  }
}

/** Saves an image. Ignores errors, because the folder may not be writable. */
export async function saveStoreImage({ entries, bytes }: StoreImage, folder: URL): Promise<void> {
  const path = imagePath(folder);
  const part = `${path}.${process.pid}.part`;
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(part, [Buffer.from(`${JSON.stringify(entries)}\n`), bytes]);
    await rename(part, path);
    const others = (await readdir(folder)).filter((name) => name.startsWith("store-") && !path.endsWith(name));
    await Promise.all(others.map((name) => rm(new URL(name, folder), { force: true })));
  } catch {
    await rm(part, { force: true }).catch(() => undefined);
  }
}

export async function takeStoreImage(database: PGlite): Promise<StoreImage> {
  await dropTemplates(database);
  // Continues the log in an empty file.
  await database.exec("SELECT pg_switch_wal()");
  await database.exec("CHECKPOINT");
  const files = database.Module.FS as ProgramFiles;
  const entries: ImageEntry[] = [];
  const contents: Uint8Array[] = [];
  const take = (folder: string): void => {
    for (const name of files.readdir(join(DATA, folder))) {
      if (name === "." || name === "..") continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (files.isDir(files.stat(join(DATA, path)).mode)) {
        entries.push({ path });
        take(path);
        continue;
      }
      const content = files.readFile(join(DATA, path));
      const kept = content.findLastIndex((byte) => byte !== 0) + 1;
      entries.push({ path, size: content.length, kept });
      contents.push(content.subarray(0, kept));
    }
  };
  take("");
  return { entries, bytes: Buffer.concat(contents) };
}

export function placeImage({ entries, bytes }: StoreImage, target: ImageTarget): void {
  // Copies the array, because the target keeps it.
  const own = new Uint8Array(bytes);
  let start = 0;
  for (const { path, size, kept = 0 } of entries) {
    if (size === undefined) {
      target.mkdir(path, 0o700);
      continue;
    }
    target.writeFile(path, own.subarray(start, start + kept));
    if (size > kept) target.truncate(path, size);
    start += kept;
  }
}

/** Drops the template databases. They are two thirds of the files, and no new databases are created from them. */
async function dropTemplates(database: PGlite): Promise<void> {
  await database.exec("UPDATE pg_database SET datistemplate = false");
  // PostgreSQL cannot drop a database in a transaction.
  await database.exec("DROP DATABASE template0");
  await database.exec("DROP DATABASE template1");
}

function imagePath(folder: URL): string {
  return fileURLToPath(new URL((name ??= imageName()), folder));
}

let name: string | undefined;

/**
 * Returns a hash of everything that determines the content of a new database: the store's sources and the package
 * versions.
 */
function imageName(): string {
  const sources = readdirSync(STORE, { recursive: true, encoding: "utf8" }).filter((path) => /\.[jt]s$/u.test(path));
  const files = [new URL(import.meta.resolve("crosscall/package.json"))].concat(
    sources.toSorted().map((path) => new URL(path, STORE)),
  );
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(file));
  return `store-${hash.digest("hex").slice(0, 16)}.image`;
}

export function storeImageFolder(): URL {
  const isDependency = BUILD_ROOT.pathname.endsWith("/node_modules/crosscall/");
  return new URL(isDependency ? "../.cache/crosscall/" : "node_modules/.cache/crosscall/", BUILD_ROOT);
}
