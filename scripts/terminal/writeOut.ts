import { replaceFile } from "./replaceFile.ts";

/** Appends a line end. */
export function writeOut(file: string, text: string): Promise<void> {
  return replaceFile(file, (handle) => handle.writeFile(text.endsWith("\n") ? text : `${text}\n`));
}
