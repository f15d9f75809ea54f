import { writeFile } from "node:fs/promises";

import { InvalidInputError } from "../../src/core/errors.ts";

/**
 * Writes what `--out` names, with a line end.
 *
 * @throws {@link InvalidInputError} when the file cannot be written
 */
export async function writeOut(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text.endsWith("\n") ? text : `${text}\n`);
  } catch (cause) {
    throw new InvalidInputError({
      field: "--out",
      value: file,
      reason: "it cannot be written",
      cure: "Name a file in a folder that is there and may be written to.",
      cause,
    });
  }
}
