import { type FileHandle, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

import { InvalidInputError } from "@crosscall/protocol/core";

export interface ReplaceFileOptions {
  /** Name of the option with the path. */
  readonly field?: string;
  /** Whether to create a missing folder. */
  readonly makesFolder?: boolean;
}

/**
 * Writes a file through `<file>.<pid>.part`, which is renamed when complete and removed on failure. Until then, the
 * existing file can be read. Follows links; writes directly to pipes and terminals.
 *
 * @param write writes the content of the new file
 */
export async function replaceFile<Result>(
  file: string,
  write: (handle: FileHandle) => Promise<Result>,
  { field = "--out", makesFolder = false }: ReplaceFileOptions = {},
): Promise<Result> {
  const refuse = (cause: unknown): never => {
    throw new InvalidInputError({
      field,
      value: file,
      reason: "the file cannot be written",
      hint: "Pass a file in an existing folder that you can write to.",
      cause,
    });
  };
  if (makesFolder) await mkdir(dirname(file), { recursive: true }).catch(refuse);
  const before = await stat(file).catch(() => undefined);
  const isReplaced = before === undefined || before.isFile();
  const target = before?.isFile() === true ? await realpath(file).catch(refuse) : file;
  const part = isReplaced ? `${target}.${process.pid}.part` : target;
  const handle = await open(part, "w", before === undefined ? undefined : before.mode & 0o777).catch(refuse);
  try {
    const result = await write(handle);
    if (isReplaced) await rename(part, target).catch(refuse);
    return result;
  } catch (error) {
    if (isReplaced) await rm(part, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => stat(path).catch(() => undefined)));
  if (a !== undefined && b !== undefined) return a.dev === b.dev && a.ino === b.ino;
  if (a !== undefined || b !== undefined) return false;
  const [first, second] = await Promise.all([one, other].map(withRealFolder));
  return first === second;
}

/** Resolves the folder of a file that does not exist yet. */
async function withRealFolder(path: string): Promise<string> {
  const absolute = resolve(path);
  return join(await realpath(dirname(absolute)).catch(() => dirname(absolute)), basename(absolute));
}

/** Writes a text with a final line break. */
export function writeOut(file: string, text: string): Promise<void> {
  return replaceFile(file, (handle) => handle.writeFile(text.endsWith("\n") ? text : `${text}\n`));
}
