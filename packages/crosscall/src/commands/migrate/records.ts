import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { InvalidInputError, MalformedDataError, throwIfAborted } from "@crosscall/protocol/core";
import { isPresent, readResponse } from "@crosscall/protocol/schema";
import { type MigratedRequest, type RequestRecordV2, RequestRecordV2Schema, toV3 } from "@crosscall/protocol/v2";
import { isTooDeep, MAX_DEPTH } from "../../localnet/jsonDepth.ts";
import { MAX_LINE_LENGTH, readLines, type ReadLinesParameters } from "../../options/readLines.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { isSameFile, replaceFile } from "../../terminal/replaceFile.ts";
import { BesideDataError } from "../../terminal/reportError.ts";
import { countOf, pipeOutput, writeNotice, writeOutput } from "../../terminal/output.ts";

export interface MalformedRecord {
  /** Line number from 1; undefined if the input is one JSON value. */
  readonly line: number | undefined;
  /** JSON path within the line or the input. */
  readonly path: string;
  readonly message: string;
}

/** Number of records by path, with `[]` for any index. */
export interface Summary {
  readonly records: number;
  readonly lost: Readonly<Record<string, number>>;
  readonly missing: Readonly<Record<string, number>>;
  readonly unknown: Readonly<Record<string, number>>;
  readonly malformed: readonly MalformedRecord[];
}

class SummaryCounter {
  #records = 0;
  readonly #lost = new Map<string, number>();
  readonly #missing = new Map<string, number>();
  readonly #unknown = new Map<string, number>();
  readonly #malformed: MalformedRecord[] = [];

  count({ lost, missing, unknown }: MigratedRequest): void {
    this.#records += 1;
    countPaths(
      this.#lost,
      lost.map(({ path }) => path),
    );
    countPaths(this.#missing, missing);
    countPaths(
      this.#unknown,
      unknown.map(({ path }) => path),
    );
  }

  reject(malformed: MalformedRecord): void {
    this.#malformed.push(malformed);
  }

  get summary(): Summary {
    return {
      records: this.#records,
      lost: Object.fromEntries(this.#lost),
      missing: Object.fromEntries(this.#missing),
      unknown: Object.fromEntries(this.#unknown),
      malformed: this.#malformed,
    };
  }
}

function toSummaryText({ records, lost, missing, unknown, malformed }: Summary): string {
  const lines = [
    `${countOf(records, "record")} converted`,
    ...toSection("have no field in v3", lost),
    ...toSection("are required by v3 and not in v2", missing),
    ...toSection("are unknown in v3 and are kept", unknown),
    ...(malformed.length === 0 ? [] : [`malformed, and not converted: ${countOf(malformed.length, "record")}`]),
    ...malformed.map(({ line, message }) => `  ${line === undefined ? "" : `line ${line}: `}${message}`),
  ];
  return `${lines.join("\n")}\n`;
}

function toSection(title: string, counts: Readonly<Record<string, number>>): string[] {
  const rows = Object.entries(counts).map(([path, count]) => `  ${String(count).padStart(6)}  ${path}`);
  return rows.length === 0 ? [] : [`values that ${title}, with the number of records:`, ...rows];
}

function countPaths(counts: Map<string, number>, paths: readonly string[]): void {
  for (const path of new Set(paths.map((one) => one.replaceAll(/\[\d+\]/gu, "[]")))) {
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
}

interface RecordsOptions {
  readonly out?: string;
  readonly keepGoing?: string;
  readonly json?: boolean;
}

export async function runRecords(file: string, options: RecordsOptions): Promise<void> {
  using interrupt = interruptOnCtrlC();
  try {
    const summary = await convertRecords({
      file,
      outFile: options.out,
      malformedFile: options.keepGoing,
      signal: interrupt.signal,
    });
    writeSummary(summary, options);
    if (summary.malformed.length > 0) process.exitCode = 1;
  } catch (error) {
    throw options.out === undefined ? new BesideDataError(error) : error;
  }
}

function writeSummary(summary: Summary, { json = false, out }: RecordsOptions): void {
  const text = json
    ? `${JSON.stringify({ ok: summary.malformed.length === 0, ...summary })}\n`
    : toSummaryText(summary);
  (json && out !== undefined ? writeOutput : writeNotice)(text);
}

export interface ConvertRecordsParameters {
  /** Path of the input; `-` for standard input. */
  readonly file: string;
  /** Path of the output; undefined for standard output. */
  readonly outFile: string | undefined;
  /** Path of a file that collects malformed records; if undefined, the first malformed record ends the conversion. */
  readonly malformedFile: string | undefined;
  readonly signal: AbortSignal;
}

/** Converts v2 records to v3, one at a time. */
async function convertRecords(parameters: ConvertRecordsParameters): Promise<Summary> {
  const { file, outFile, malformedFile, signal } = parameters;
  const counter = new SummaryCounter();
  await requireOwnFile(parameters);
  const input = file === "-" ? process.stdin : (await openFile(file, "r", "file")).createReadStream();
  const malformed = malformedFile === undefined ? undefined : await openFile(malformedFile, "w", "--keep-going");
  async function* convert(): AsyncGenerator<string> {
    for await (const one of readRecords(input, { field: "file", path: file, signal })) {
      throwIfAborted(signal, "the conversion");
      try {
        const migrated = toV3(requireRecord(one));
        counter.count(migrated);
        yield `${JSON.stringify(migrated.record)}\n`;
      } catch (error) {
        if (!(error instanceof MalformedDataError) || malformed === undefined) throw error;
        counter.reject({ line: one.line, path: error.path, message: error.message });
        await malformed.write(`${one.text ?? JSON.stringify(one.value)}\n`);
      }
    }
  }
  try {
    if (outFile === undefined) await pipeOutput(convert(), signal);
    // The output can be the input file.
    else {
      await replaceFile(outFile, (handle) =>
        pipeline(Readable.from(convert()), handle.createWriteStream({ flush: true }), { signal }),
      );
    }
  } catch (error) {
    throwIfAborted(signal, "the conversion");
    // The program that reads the output closed it.
    if (!isBrokenPipe(error)) throw error;
  } finally {
    await malformed?.close();
    input.destroy();
  }
  return counter.summary;
}

/**
 * Requires a separate file for malformed records, because the first malformed record is written before the input ends.
 */
async function requireOwnFile({ file, outFile, malformedFile }: ConvertRecordsParameters): Promise<void> {
  if (malformedFile === undefined) return;
  for (const other of [file, outFile]) {
    if (other === undefined || !(await isSameFile(malformedFile, other))) continue;
    throw new InvalidInputError({
      field: "--keep-going",
      value: malformedFile,
      reason: other === file ? "it is the input file" : "it is the same file as --out",
      hint: "Pass another file for the malformed records.",
    });
  }
}

function requireRecord({ line, at, value, text }: InputRecord): RequestRecordV2 {
  const what = line === undefined ? "the input" : `line ${line}`;
  if (text !== undefined) throw new MalformedDataError({ what, path: "", reason: reasonOf(text) });
  const record = readResponse(RequestRecordV2Schema, value);
  const [unreadable] = record.unreadable?.fields ?? [];
  if (unreadable === undefined && isPresent(record.id)) return record;
  const { path, reason } = unreadable ?? { path: "id", reason: "it is missing" };
  // In an array, the path starts with the record's index.
  throw new MalformedDataError({ what, path: [at, path].filter((part) => part !== "").join("."), reason });
}

function reasonOf(text: string): string {
  return isTooDeep(text) ? `its values are nested deeper than ${MAX_DEPTH} levels` : "it is not JSON";
}

async function openFile(path: string, flags: "r" | "w", field: string): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (cause) {
    throw new InvalidInputError({
      field,
      value: path,
      reason: flags === "r" ? "the file cannot be read" : "the file cannot be written",
      hint: "Check the path and its permissions.",
      cause,
    });
  }
}

function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}

export interface InputRecord {
  /** Line number from 1; undefined if the input is one JSON value. */
  readonly line: number | undefined;
  /** JSON path within the line or the input, such as `requests[3]`. */
  readonly at: string;
  /** Parsed record; undefined for invalid JSON. */
  readonly value: unknown;
  /** Text of invalid JSON, or of JSON that is nested too deeply. */
  readonly text: string | undefined;
}

/**
 * Reads JSON lines (records, arrays of records or listing pages), or one JSON value if the first line alone is not
 * valid JSON. Stops when the signal fires, even while waiting for input.
 */
export async function* readRecords(input: Readable, from: ReadLinesParameters): AsyncGenerator<InputRecord> {
  let first: string[] | undefined = [];
  let line = 0;
  let length = 0;
  for await (const text of readLines(input, from)) {
    line += 1;
    if (first !== undefined) {
      const isStart = first.every((other) => other.trim() === "");
      if (isStart && parse(text).isJson) first = undefined;
      else if (!isStart || text.trim() !== "") first.push(text);
      else first.push("");
      length += text.length + 1;
      if (length > MAX_LINE_LENGTH) throw tooLong(from);
    }
    if (first === undefined) yield* recordsOf(text, line);
  }
  if (first === undefined) return;
  const whole = first.join("\n");
  if (parse(whole).isJson) yield* recordsOf(whole, undefined);
  else for (const [index, text] of first.entries()) yield* recordsOf(text, index + 1);
}

function tooLong({ field, path }: ReadLinesParameters): InvalidInputError {
  return new InvalidInputError({
    field,
    value: path,
    reason: `it is not JSON lines, and larger than ${MAX_LINE_LENGTH} characters`,
    hint: "Pass JSON lines: one record on each line.",
  });
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

/** Parses JSON. Treats values that are nested too deeply as malformed. */
function parse(text: string): { isJson: boolean; value: unknown } {
  if (isTooDeep(text)) return { isJson: false, value: undefined };
  try {
    return { isJson: true, value: JSON.parse(text) as unknown };
  } catch {
    return { isJson: false, value: undefined };
  }
}
