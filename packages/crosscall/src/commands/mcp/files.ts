import { realpath } from "node:fs/promises";
import { extname, isAbsolute, relative } from "node:path";

import { InvalidInputError } from "@crosscall/protocol/core";

/**
 * Allows only paths in the working folder, because an agent can pass a path that it read in untrusted text.
 *
 * @returns the path, relative to the working folder
 */
export async function requireInside(path: string, field: string): Promise<string> {
  const refuse = (reason: string, hint: string): InvalidInputError =>
    new InvalidInputError({ field, value: path, reason, hint });
  const found = await realpath(path).catch(() => undefined);
  if (found === undefined)
    throw refuse("the path does not exist", "Pass a path relative to the server's working folder.");
  const inner = relative(await realpath("."), found);
  if (inner === "") return ".";
  if (inner.split(/[/\\]/u)[0] !== ".." && !isAbsolute(inner)) return inner;
  throw refuse("the path is outside of the server's working folder", "Start the server in the project's folder.");
}

/** Allows only JSON files. Loading a module would run its code. */
export async function requireJsonFile(path: string, field: string): Promise<string> {
  if (extname(path) === ".json") return requireInside(path, field);
  throw new InvalidInputError({
    field,
    value: path,
    reason: "it is not a JSON file, and tools do not run modules",
    hint: "Run `crosscall plan <module> --out plan.json`, and pass plan.json.",
  });
}
