import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import colors from "picocolors";

import { MalformedDataError, printableLines } from "@crosscall/protocol/core";

// Prints all output of commands. Lint rules forbid other ways to print, because text from services and chains could
// control the terminal.

/** Writes to standard output. */
export function writeOutput(text: string): void {
  process.stdout.write(toTerminal(text));
}

/** Writes to standard error. */
export function writeNotice(text: string): void {
  process.stderr.write(toTerminal(text));
}

const writtenOnce = new Set<string>();

/** Writes to standard error, unless this command has already written the text. */
export function writeNoticeOnce(text: string): void {
  if (writtenOnce.has(text)) return;
  writtenOnce.add(text);
  writeNotice(text);
}

/** Starts a command. A process can run several. */
export function startOutput(): void {
  writtenOnce.clear();
}

/** Writes to standard output, and waits if the reader is slow. */
export function pipeOutput(texts: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  async function* shown(): AsyncGenerator<string> {
    for await (const text of texts) yield toTerminal(text);
  }
  return pipeline(Readable.from(shown()), process.stdout, { signal, end: false });
}

/** Escapes control characters, except those of {@link outputColors} and {@link errorColors}. */
export function toTerminal(text: string): string {
  return printableLines(text).replaceAll(STYLE, "\u001B[$1m");
}

/** Random marker, so that untrusted text cannot contain a style. */
const MARK = randomUUID();

const STYLE = new RegExp(`${MARK}(\\d+)m`, "gu");

/** Codes that begin and end a style. */
const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  underline: [4, 24],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
} as const;

type Colors = Readonly<Record<keyof typeof CODES, (text: string) => string>>;

/** Colors for text on standard output. */
export const outputColors = colorsOf(process.stdout);

/** Colors for text on standard error. */
export const errorColors = colorsOf(process.stderr);

/** Checks the stream itself, because picocolors checks only standard output and colors redirected output in CI. */
function colorsOf(stream: NodeJS.WriteStream): Colors {
  const isWanted = (stream.isTTY || process.env.FORCE_COLOR !== undefined) && colors.isColorSupported;
  const style =
    ([begin, end]: readonly [number, number]) =>
    (text: string): string =>
      isWanted ? `${MARK}${begin}m${text}${MARK}${end}m` : text;
  return {
    bold: style(CODES.bold),
    dim: style(CODES.dim),
    underline: style(CODES.underline),
    red: style(CODES.red),
    green: style(CODES.green),
    yellow: style(CODES.yellow),
  };
}

/** Returns whether standard error is a terminal, which can show animated progress. */
export function isTerminal(): boolean {
  return process.stderr.isTTY;
}

/** @param listener called when the reader of standard output closes it, as `head` does */
export function onceOutputCloses(listener: () => void): void {
  process.stdout.once("error", listener);
}

/**
 * Lets a command continue after the reader closes its output, because work such as following a payment must not be
 * interrupted.
 */
export function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: Error & { readonly code?: string }) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}

/**
 * Formats JSON on one line, with amounts as decimal strings.
 *
 * @throws {@link MalformedDataError} for data from a service that overflows the stack
 */
export function toJsonLine(value: unknown): string {
  try {
    return `${JSON.stringify(value, (_key, field: unknown) => (typeof field === "bigint" ? field.toString() : field))}\n`;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const reason = "it is nested too deeply or too large to print as JSON";
    throw new MalformedDataError({ what: "the data", path: "", reason, cause });
  }
}

/** Formats a count with its noun: `1 record`, `2 records`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
