import { readdir, readFile, rm } from "node:fs/promises";

import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { Kysely, PGliteDialect } from "kysely";
import { fromPglite } from "pg-boss";

import { InvalidStateError } from "../../core/errors.ts";
import type { StoreSchema } from "../schema.ts";
import type { OpenDatabase } from "./openDatabase.ts";
import { readStoreImage, removeStoreImage, saveStoreImage, storeImageFolder } from "./storeImage.ts";

/** Of Node, whose types leave it out. */
declare const WebAssembly: { compile(program: Uint8Array): Promise<object> };

/**
 * Opens a database that runs in this process.
 *
 * @param folder where it is kept over restarts; memory when left out
 * @throws {@link InvalidStateError} when the folder cannot be used
 */
export async function openPglite(folder: string | undefined): Promise<OpenDatabase> {
  return toOpenDatabase(await createPglite(folder), folder);
}

/**
 * Opens a new database: at this version's schema where an earlier start saved one, else empty.
 *
 * @param folder where it is kept, which must be empty or not exist; memory when left out
 * @param images the folder of saved databases
 * @throws {@link InvalidStateError} when the folder cannot be used
 */
export async function openNewPglite(
  folder: string | undefined,
  images: URL = storeImageFolder(),
): Promise<OpenDatabase> {
  const image = await readStoreImage(images);
  if (image !== undefined) {
    try {
      const loadDataDir = { loadDataDir: image, ...(await (code ??= readCode())) };
      return toOpenDatabase(await PGlite.create(folder ?? "memory://", loadDataDir), folder);
    } catch {
      // What of it was written must not be taken for a database.
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
      await removeStoreImage(images);
    }
  }
  const pglite = await createPglite(folder);
  return { ...toOpenDatabase(pglite, folder), saveImage: () => saveStoreImage(pglite, images) };
}

/** Whether a folder has no files, or is not there. */
export async function isNewFolder(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT";
  }
}

/** The program of the database, which all databases of a process share. */
let code: Promise<Pick<PGliteOptions, "pgliteWasmModule" | "fsBundle">> | undefined;

async function readCode(): Promise<Pick<PGliteOptions, "pgliteWasmModule" | "fsBundle">> {
  const read = async (name: string): Promise<Uint8Array<ArrayBuffer>> =>
    Uint8Array.from(await readFile(new URL(import.meta.resolve(`@electric-sql/pglite/${name}`))));
  const [program, files] = await Promise.all([read("pglite.wasm"), read("pglite.data")]);
  return { pgliteWasmModule: await WebAssembly.compile(program), fsBundle: new Blob([files]) };
}

function toOpenDatabase(pglite: PGlite, folder: string | undefined): OpenDatabase {
  return {
    name: folder ?? "in memory",
    db: new Kysely<StoreSchema>({ dialect: new PGliteDialect({ pglite }) }),
    schema: undefined,
    queue: { db: fromPglite(pglite), backend: "pglite" },
  };
}

async function createPglite(folder: string | undefined): Promise<PGlite> {
  try {
    return await PGlite.create(folder ?? "memory://");
  } catch (error) {
    throw new InvalidStateError({
      message: `the database ${folder ?? "in memory"} could not be opened`,
      cure: "Check that the folder can be written, that no other process uses it, and that a database made it.",
      cause: error,
    });
  }
}
