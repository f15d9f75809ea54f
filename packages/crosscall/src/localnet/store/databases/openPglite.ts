import { appendFileSync, mkdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

import { MemoryFS, PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { Kysely, PGliteDialect } from "kysely";
import { fromPglite } from "pg-boss";

import { InvalidStateError } from "@crosscall/protocol/core";
import type { StoreSchema } from "../schema.ts";
import { isLockFile } from "./lockFolder.ts";
import type { Lease, OpenDatabase } from "./openDatabase.ts";
import { guardDisk, prepareStatements } from "./pgliteProtocol.ts";
import {
  DATA,
  placeImage,
  type ProgramFiles,
  readStoreImage,
  saveStoreImage,
  type StoreImage,
  storeImageFolder,
  takeStoreImage,
} from "./storeImage.ts";

declare const WebAssembly: { compile(program: Uint8Array): Promise<object> };

/** Settings for small buffers, which are fast to clear. The files are in memory anyway. */
const SETTINGS = ["shared_buffers=16MB", "wal_buffers=1MB", "wal_recycle=off"];

const LOG_FOLDER = "pg_wal/";

export async function openPglite(folder?: string): Promise<OpenDatabase> {
  return toOpenDatabase(await createPglite(folder ?? "memory://"), folder);
}

export async function openNewPglite(
  folder: string | undefined,
  prepare: (database: OpenDatabase) => Promise<void>,
  images: URL = storeImageFolder(),
): Promise<OpenDatabase> {
  const image = (await readStoreImage(images)) ?? (await makeStoreImage(prepare, images));
  if (folder === undefined) return toOpenDatabase(await createPglite(new ImageFilesystem(image)), undefined);
  await placeInFolder(image, folder);
  return openPglite(folder);
}

async function makeStoreImage(prepare: (database: OpenDatabase) => Promise<void>, images: URL): Promise<StoreImage> {
  const pglite = await createPglite("memory://");
  const database = toOpenDatabase(pglite, undefined);
  try {
    await prepare(database);
    const image = await takeStoreImage(pglite);
    await saveStoreImage(image, images);
    return image;
  } finally {
    await database.close();
  }
}

class ImageFilesystem extends MemoryFS {
  readonly #image: StoreImage;

  constructor(image: StoreImage) {
    super();
    this.#image = image;
  }

  override async init(...parameters: Parameters<MemoryFS["init"]>): ReturnType<MemoryFS["init"]> {
    const { emscriptenOpts: options } = await super.init(...parameters);
    const place: NonNullable<typeof options.preRun>[number] = (program) => {
      const files = program.FS as ProgramFiles;
      files.mkdirTree(DATA, 0o700);
      placeImage(this.#image, {
        mkdir: (path, mode) => files.mkdir(`${DATA}/${path}`, mode),
        writeFile: (path, bytes) => files.writeFile(`${DATA}/${path}`, bytes, { canOwn: true }),
        truncate: (path, size) => files.truncate(`${DATA}/${path}`, size),
      });
    };
    return { emscriptenOpts: { ...options, preRun: [...(options.preRun ?? []), place] } };
  }
}

/** Fills log files with zeros to reserve their space. Otherwise, a full disk could stop the log within a file. */
function allocate(path: string, size: number, isLog: boolean): void {
  if (isLog) appendFileSync(path, Buffer.alloc(size - statSync(path).size));
  else truncateSync(path, size);
}

async function placeInFolder(image: StoreImage, folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    placeImage(image, {
      mkdir: (path, mode) => mkdirSync(join(folder, path), mode),
      writeFile: (path, bytes) => writeFileSync(join(folder, path), bytes),
      truncate: (path, size) => allocate(join(folder, path), size, path.startsWith(LOG_FOLDER)),
    });
  } catch (cause) {
    // Removes a partly written folder, which would look like a database.
    await removeContent(folder).catch(() => undefined);
    throw new InvalidStateError({
      message: `the database ${folder} could not be created`,
      hint: "Check that the folder is writable, and that the disk has space.",
      cause,
    });
  }
}

async function removeContent(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !isLockFile(name));
  await Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

export async function isNewFolder(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).every(isLockFile);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT";
  }
}

let code: Promise<Pick<PGliteOptions, "pgliteWasmModule" | "fsBundle">> | undefined;

async function readCode(): Promise<Pick<PGliteOptions, "pgliteWasmModule" | "fsBundle">> {
  const read = async (name: string): Promise<Uint8Array<ArrayBuffer>> =>
    Uint8Array.from(await readFile(new URL(import.meta.resolve(`@electric-sql/pglite/${name}`))));
  const [program, files] = await Promise.all([read("pglite.wasm"), read("pglite.data")]);
  return { pgliteWasmModule: await WebAssembly.compile(program), fsBundle: new Blob([files]) };
}

function toOpenDatabase(pglite: PGlite, folder: string | undefined): OpenDatabase {
  const db = new Kysely<StoreSchema>({ dialect: new PGliteDialect({ pglite }) });
  const guard = folder === undefined ? undefined : guardDisk(pglite, folder);
  return {
    name: folder ?? "in memory",
    db,
    reader: db,
    schema: undefined,
    queue: { db: fromPglite(pglite), backend: "pglite" },
    lease: (_name, onGain) => Promise.resolve(holdAlone(onGain)),
    async close() {
      if (guard?.mayClose() ?? true) await db.destroy();
    },
  };
}

/** Gives the lease to this process immediately, because no other process can use the database. */
function holdAlone(onGain: () => void): Lease {
  onGain();
  return { isHeld: () => true, yield: () => Promise.resolve(), close: () => Promise.resolve() };
}

async function createPglite(place: string | MemoryFS): Promise<PGlite> {
  try {
    const pglite = await PGlite.create({
      ...(typeof place === "string" ? { dataDir: place } : { fs: place }),
      ...(await (code ??= readCode())),
      startParams: [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ["-c", setting])],
    });
    prepareStatements(pglite);
    return pglite;
  } catch (error) {
    throw new InvalidStateError({
      message: `the database ${typeof place === "string" ? place : "in memory"} could not be opened`,
      hint: "Check that the folder is writable, that no other process uses it, and that it contains a database.",
      cause: error,
    });
  }
}
