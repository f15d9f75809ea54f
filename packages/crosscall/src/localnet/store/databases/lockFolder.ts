import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";

import { InvalidStateError } from "@crosscall/protocol/core";
import { DatabaseError } from "../databaseError.ts";

/** The process that uses a folder. */
export interface FolderOwner {
  readonly pid: number;
  /** Base URL of its service, once it listens. */
  readonly url?: string;
}

export interface FolderLock {
  /** Lets other processes find the service. */
  publish(url: string): void;
  release(): void;
}

const PREFIX = "crosscall.";
const LOCK = `${PREFIX}lock`;
const OWNER = `${PREFIX}owner.json`;

/** Whether a file of the folder is not of the database. */
export function isLockFile(name: string): boolean {
  return name.startsWith(PREFIX);
}

/**
 * Keeps other processes from the folder. The operating system releases the lock when the process ends, however it ends,
 * since it is the one that SQLite has on its file.
 *
 * @throws {@link DatabaseError} `in-use`, with the process that uses the folder
 *
 * @throws {@link InvalidStateError} if the folder cannot be written
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const lock = await openLock(folder);
  if (lock === undefined) {
    const owner = readOwner(folder);
    throw new DatabaseError({ database: folder, flaw: "in-use", ...(owner === undefined ? {} : { owner }) });
  }
  writeOwner(folder, { pid: process.pid });
  return {
    publish: (url) => writeOwner(folder, { pid: process.pid, url }),
    release() {
      if (!lock.isOpen) return;
      rmSync(join(folder, OWNER), { force: true });
      lock.close();
    },
  };
}

/** @returns undefined if another process has it */
async function openLock(folder: string): Promise<DatabaseSync | undefined> {
  try {
    await mkdir(folder, { recursive: true });
    const lock = await openSqlite(join(folder, LOCK));
    // Nothing is written to it, so it needs no journal.
    lock.exec("pragma journal_mode = memory; begin exclusive");
    return lock;
  } catch (cause) {
    if (isBusy(cause)) return undefined;
    throw new InvalidStateError({
      message: `the database ${folder} could not be opened`,
      hint: "Check that the folder can be written.",
      cause,
    });
  }
}

/** SQLite, result codes: SQLITE_BUSY. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 5;
}

/** Only informs: on a full disk it is left out. */
function writeOwner(folder: string, owner: FolderOwner): void {
  try {
    writeFileSync(join(folder, OWNER), `${JSON.stringify(owner)}\n`);
  } catch {
    rmSync(join(folder, OWNER), { force: true });
  }
}

/** Undefined if the process has just started. */
function readOwner(folder: string): FolderOwner | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, OWNER), "utf8")) as FolderOwner;
  } catch {
    return undefined;
  }
}

/** Node.js 22 prints a warning when it loads the module. */
async function openSqlite(path: string): Promise<DatabaseSync> {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    const sqlite = await import("node:sqlite");
    return new sqlite.DatabaseSync(path);
  } finally {
    process.emitWarning = emitWarning;
  }
}
