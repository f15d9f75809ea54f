import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

export interface InputRecord {
  /** From 1; undefined if the input is one JSON value. */
  readonly line: number | undefined;
  /** JSON path from the line or the input: `requests[3]`. */
  readonly at: string;
  /** Undefined for invalid JSON. */
  readonly value: unknown;
  /** The text of invalid JSON. */
  readonly text: string | undefined;
}

/**
 * Accepts JSON lines (records, arrays of records or listing pages), or one JSON value if the first line is not JSON by
 * itself. Ends when the signal fires, even while waiting for input.
 */
export async function* readRecords(input: Readable, signal: AbortSignal): AsyncGenerator<InputRecord> {
  let first: string[] | undefined = [];
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY, signal })) {
    line += 1;
    if (first !== undefined) {
      const isStart = first.every((other) => other.trim() === "");
      if (isStart && parse(text).isJson) first = undefined;
      else if (!isStart || text.trim() !== "") first.push(text);
      else first.push("");
    }
    if (first === undefined) yield* recordsOf(text, line);
  }
  if (first === undefined) return;
  const whole = first.join("\n");
  if (parse(whole).isJson) yield* recordsOf(whole, undefined);
  else for (const [index, text] of first.entries()) yield* recordsOf(text, index + 1);
}

function* recordsOf(text: string, line: number | undefined): Generator<InputRecord> {
  if (text.trim() === "") return;
  const { isJson, value } = parse(text);
  if (!isJson) {
    yield { line, at: "", value: undefined, text };
    return;
  }
  const [values, prefix] = listOf(value);
  if (values === undefined) yield { line, at: "", value, text: undefined };
  else
    for (const [index, one] of values.entries()) yield { line, at: `${prefix}[${index}]`, value: one, text: undefined };
}

function listOf(value: unknown): [readonly unknown[] | undefined, string] {
  if (Array.isArray(value)) return [value, ""];
  const hasList = typeof value === "object" && value !== null && "requests" in value && Array.isArray(value.requests);
  return hasList ? [value.requests as unknown[], "requests"] : [undefined, ""];
}

function parse(text: string): { isJson: boolean; value: unknown } {
  try {
    return { isJson: true, value: JSON.parse(text) as unknown };
  } catch {
    return { isJson: false, value: undefined };
  }
}
