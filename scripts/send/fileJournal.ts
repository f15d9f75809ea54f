import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";

import type { ExecutionJournal } from "@crosscall/sdk/internal/client/executeSteps/journal";
import { InvalidStateError } from "@crosscall/sdk/internal/core/errors";

/** The folder must exist before the first write. */
export function createFileJournal(folder: string): ExecutionJournal {
  return {
    get: (key) => read(pathOf(folder, key)),
    set: (key, value) => write(folder, pathOf(folder, key), value),
  };
}

/** Encoded: the key comes from a quote and must not escape the folder. */
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

/** The file and its directory entry are synced before anything is sent. */
async function write(folder: string, path: string, value: string): Promise<void> {
  const draft = `${path}.${process.pid}.draft`;
  try {
    await withSync(draft, "w", (file) => file.writeFile(value));
    await rename(draft, path);
    // Windows has no handles of folders, and needs none.
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

export function journalError(what: string, cause: unknown): InvalidStateError {
  return new InvalidStateError({
    message: `the journal ${what}`,
    hint: "Check the folder of --journal, its permissions and the free space.",
    cause,
  });
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
