import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import type { ExecutionJournal } from "@crosscall/sdk";
import { InvalidStateError } from "@crosscall/protocol/core";

/**
 * Locks a request, so that two processes on this machine do not execute it and pay twice. Takes over locks of dead
 * processes. Creates the journal's folder, readable only by its owner.
 *
 * @returns a function that releases the lock
 */
export async function lockRequest(folder: string, requestId: string): Promise<() => Promise<void>> {
  const path = join(resolve(folder), `${encodeURIComponent(requestId)}.lock`);
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    throw journalError("has no folder", cause);
  });
  if (!(await create(path))) {
    // A second lock protects the two system calls of a takeover.
    const takeover = `${path}.takeover`;
    if (!(await create(takeover))) throw inUse(requestId, takeover);
    try {
      const state = await stateOf(path);
      if (state === "held") throw inUse(requestId, path);
      // Another process may have created the lock again.
      if (state === "left") await rm(path, { force: true });
      if (!(await create(path))) throw inUse(requestId, path);
    } finally {
      await rm(takeover, { force: true });
    }
  }
  held.add(path);
  return () => {
    held.delete(path);
    return rm(path, { force: true });
  };
}

/** Paths of the locks that this process holds. */
const held = new Set<string>();

async function create(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: "wx", mode: 0o600 });
    return true;
  } catch (cause) {
    if (isCode(cause, "EEXIST")) return false;
    throw journalError("cannot be written", cause);
  }
}

/** Returns the state of a lock. A lock without a process id is being written. */
async function stateOf(path: string): Promise<"held" | "left" | "gone"> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    if (isCode(cause, "ENOENT")) return undefined;
    throw journalError("cannot be read", cause);
  });
  if (text === undefined) return "gone";
  if (!/^\d+$/u.test(text)) return "held";
  // Containers reuse process ids, so an earlier process can have had this process's id.
  if (Number(text) === process.pid) return held.has(path) ? "held" : "left";
  try {
    process.kill(Number(text), 0);
    return "held";
  } catch (error) {
    // EPERM: another user's process is running.
    return isCode(error, "ESRCH") ? "left" : "held";
  }
}

function inUse(requestId: string, path: string): InvalidStateError {
  return new InvalidStateError({
    message: `another process is executing request ${requestId}`,
    hint: `Wait until that process ends. If it is not running, remove ${path}.`,
  });
}

/** Creates a journal. Its folder must exist before the first write. */
export function createFileJournal(folder: string): ExecutionJournal {
  return {
    get: (key) => read(pathOf(folder, key)),
    set: (key, value) => write(folder, pathOf(folder, key), value),
  };
}

/** Encodes the key, because it comes from a quote and must not escape the folder. */
function pathOf(folder: string, key: string): string {
  return join(folder, `${encodeURIComponent(key)}.json`);
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if (isCode(cause, "ENOENT")) return undefined;
    throw journalError("cannot be read", cause);
  }
}

/** Syncs the file and its directory entry before the step is sent. */
async function write(folder: string, path: string, value: string): Promise<void> {
  const draft = `${path}.${process.pid}.draft`;
  try {
    await withSync(draft, "w", (file) => file.writeFile(value));
    await rename(draft, path);
    // Windows has no directory handles and does not need this sync.
    if (process.platform !== "win32") await withSync(folder, "r", () => Promise.resolve());
  } catch (cause) {
    throw journalError("cannot be written", cause);
  }
}

async function withSync(
  path: string,
  flags: "r" | "w",
  work: (file: Awaited<ReturnType<typeof open>>) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await work(file);
    await file.sync();
  } finally {
    await file.close();
  }
}

function journalError(what: string, cause: unknown): InvalidStateError {
  return new InvalidStateError({
    message: `the journal ${what}`,
    hint: "Check the --journal folder, its permissions and the free disk space.",
    cause,
  });
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
