import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";

import { InvalidStateError } from "@crosscall/protocol/core";
import { DatabaseError } from "../databaseError.ts";

/** The process that uses a folder. */
export interface FolderOwner {
  readonly pid: number;
  /** Base URL of the process's service after it started to listen. */
  readonly url?: string;
}

export interface FolderLock {
  /** Saves the service's URL, so that other processes can find the service. */
  publish(url: string): void;
  release(): void;
}

const PREFIX = "crosscall.";
const LOCK = `${PREFIX}lock`;
const OWNER = `${PREFIX}owner.json`;

/** Returns whether a file in the folder belongs to the lock and not to the database. */
export function isLockFile(name: string): boolean {
  return name.startsWith(PREFIX);
}

/**
 * Locks a folder against other processes. It uses SQLite's lock on a file, which the operating system releases when the
 * process ends for any reason.
 *
 * @throws {@link DatabaseError} `in-use`, with the process that uses the folder
 *
 * @throws {@link InvalidStateError} if the folder is not writable
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

/** @returns undefined if another process holds the lock */
async function openLock(folder: string): Promise<DatabaseSync | undefined> {
  try {
    await mkdir(folder, { recursive: true });
    const lock = await openSqlite(join(folder, LOCK));
    // This database needs no journal on disk, because it is never written to.
    lock.exec("pragma journal_mode = memory; begin exclusive");
    return lock;
  } catch (cause) {
    if (isBusy(cause)) return undefined;
    throw new InvalidStateError({
      message: `the database ${folder} could not be opened`,
      hint: "Check that the folder is writable.",
      cause,
    });
  }
}

/** Returns whether SQLite reports the result code SQLITE_BUSY. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 5;
}

/** Writes the owner's file. The file is only informational, so a full disk is not an error. */
function writeOwner(folder: string, owner: FolderOwner): void {
  try {
    writeFileSync(join(folder, OWNER), `${JSON.stringify(owner)}\n`);
  } catch {
    rmSync(join(folder, OWNER), { force: true });
  }
}

/** Reads the owner of the lock; undefined if the owner has just started and has not written the file yet. */
function readOwner(folder: string): FolderOwner | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, OWNER), "utf8")) as FolderOwner;
  } catch {
    return undefined;
  }
}

/** Loads `node:sqlite` without the warning that Node.js 22 prints. */
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
