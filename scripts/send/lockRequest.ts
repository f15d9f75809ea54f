import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { InvalidStateError } from "@crosscall/sdk/internal/core/errors";
import { isCode, journalError } from "./fileJournal.ts";

/**
 * Makes sure that no other process of this machine executes the request with this journal: two that begin at the same
 * time would pay twice. What a killed process left behind is taken over. The journal's folder is made, and only its
 * owner can look into it.
 *
 * @returns gives the request free
 * @throws {@link InvalidStateError} when another process executes it
 */
export async function lockRequest(folder: string, requestId: string): Promise<() => Promise<void>> {
  const path = join(resolve(folder), `${encodeURIComponent(requestId)}.lock`);
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    throw journalError("has no folder", cause);
  });
  if (!(await create(path))) {
    // Taking over is two calls of the system: a second lock keeps others from doing it meanwhile.
    const takeover = `${path}.takeover`;
    if (!(await create(takeover))) throw inUse(requestId, takeover);
    try {
      const state = await stateOf(path);
      if (state === "held") throw inUse(requestId, path);
      // What is gone already may be another's by now.
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

/** Locks of this process. */
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

/** Whether the process that a lock names runs. A lock without a number is being written right now. */
async function stateOf(path: string): Promise<"held" | "left" | "gone"> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    if (isCode(cause, "ENOENT")) return undefined;
    throw journalError("cannot be read", cause);
  });
  if (text === undefined) return "gone";
  if (!/^\d+$/u.test(text)) return "held";
  // In a container numbers come again: an earlier process had this one's.
  if (Number(text) === process.pid) return held.has(path) ? "held" : "left";
  try {
    process.kill(Number(text), 0);
    return "held";
  } catch (error) {
    // Another user's process runs all the same.
    return isCode(error, "ESRCH") ? "left" : "held";
  }
}

function inUse(requestId: string, path: string): InvalidStateError {
  return new InvalidStateError({
    message: `another process executes request ${requestId}`,
    hint: `Wait for it to end; if none runs, remove ${path}.`,
  });
}
