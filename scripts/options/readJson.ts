import { readFile } from "node:fs/promises";

import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";

/** @param field the argument or option with the path */
export async function readJson(path: string, field: string): Promise<unknown> {
  const refuse = (reason: string, cause: unknown): InvalidInputError =>
    new InvalidInputError({ field, value: path, reason, hint: "Pass the path of a readable JSON file.", cause });
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    throw refuse("the file cannot be read", cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refuse("the file is no JSON", cause);
  }
}
