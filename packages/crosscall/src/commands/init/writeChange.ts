import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { InvalidInputError } from "@crosscall/protocol/core";
import { replaceFile } from "../../terminal/replaceFile.ts";
import type { Change } from "./planInit.ts";

/**
 * Writes one change below a folder.
 *
 * @throws {@link InvalidInputError} if the file is no longer as planned, or cannot be written
 */
export async function writeChange(folder: string, { path, action, before, after }: Change): Promise<void> {
  const file = join(folder, path);
  if (action === "edit") {
    if (readText(file) !== before) throw changedMeanwhile(path);
    await replaceFile(file, (handle) => handle.writeFile(after), { field: "folder" });
    return;
  }
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, after, { flag: "wx" });
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") throw changedMeanwhile(path, cause);
    throw new InvalidInputError({
      field: "folder",
      value: file,
      reason: "the file cannot be written",
      hint: "Check that its folder is a folder that you may write to.",
      cause,
    });
  }
}

function changedMeanwhile(path: string, cause?: unknown): InvalidInputError {
  return new InvalidInputError({
    field: "folder",
    value: path,
    reason: "the file changed while the command ran",
    hint: "Run the command again.",
    cause,
  });
}

/**
 * Undefined if there is no such file.
 *
 * @throws {@link InvalidInputError} if the file cannot be read
 */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new InvalidInputError({
      field: "folder",
      value: path,
      reason: "the file cannot be read",
      hint: "Check its permissions.",
      cause,
    });
  }
}
