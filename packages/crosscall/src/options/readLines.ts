import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

import { InvalidInputError } from "@crosscall/protocol/core";

/** Maximum length of a line in characters. Longer lines are not records and could use up the memory. */
export const MAX_LINE_LENGTH = 32 * 1024 * 1024;

export interface ReadLinesParameters {
  /** Name of the argument or option with the path. */
  readonly field: string;
  /** Path of the file; `-` for standard input. */
  readonly path: string;
  readonly signal: AbortSignal;
  readonly maxLength?: number;
}

/**
 * Iterates over the lines of a file or of standard input. Stops and destroys the input when the signal fires, even
 * while waiting for input.
 *
 * @throws {@link InvalidInputError} if a line is too long, before all of it is read
 */
export async function* readLines(input: Readable, parameters: ReadLinesParameters): AsyncGenerator<string> {
  const { field, path, signal, maxLength = MAX_LINE_LENGTH } = parameters;
  const decoder = new StringDecoder();
  const stop = (): void => void input.destroy();
  const isStopped = (): boolean => signal.aborted;
  if (isStopped()) return;
  signal.addEventListener("abort", stop, { once: true });
  let begun: string[] = [];
  let length = 0;
  try {
    for await (const chunk of input.iterator({ destroyOnReturn: false }) as AsyncIterable<string | Buffer>) {
      const [first = "", ...others] = toText(chunk, decoder).split("\n");
      begun.push(first);
      length += first.length;
      for (const next of others) {
        requireLength();
        yield toLine(begun);
        begun = [next];
        length = next.length;
      }
      requireLength();
    }
  } catch (error) {
    if (isStopped()) return;
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  if (!isStopped() && length > 0) yield toLine(begun);

  function requireLength(): void {
    if (length <= maxLength) return;
    throw new InvalidInputError({
      field,
      value: path,
      reason: `a line is longer than ${maxLength} characters`,
      hint: "Pass JSON lines: one record on each line.",
    });
  }
}

function toText(chunk: string | Buffer, decoder: StringDecoder): string {
  return typeof chunk === "string" ? chunk : decoder.write(chunk);
}

function toLine(parts: readonly string[]): string {
  const line = parts.join("");
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
