import { readFile } from "node:fs/promises";

import { InvalidInputError } from "../../src/core/errors.ts";

/**
 * Reads a file of JSON.
 *
 * @param what it should hold, for the error
 * @throws {@link InvalidInputError} when it cannot be read or is not JSON
 */
export async function readJsonFile(file: string, what: string): Promise<unknown> {
  const refuse = (reason: string, cause: unknown): InvalidInputError =>
    new InvalidInputError({
      field: "file",
      value: file,
      reason,
      cure: `Give the path of a JSON file with a ${what}.`,
      cause,
    });
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw refuse("it cannot be read", cause);
  });
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw refuse("it is not JSON", cause);
  }
}
