import { replaceFile } from "./replaceFile.ts";

/**
 * Appends a line end.
 *
 * @throws {@link InvalidInputError} if the file cannot be written
 */
export function writeOut(file: string, text: string): Promise<void> {
  return replaceFile(file, (handle) => handle.writeFile(text.endsWith("\n") ? text : `${text}\n`));
}
