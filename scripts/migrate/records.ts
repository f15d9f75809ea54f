import { type FileHandle, open } from "node:fs/promises";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { throwIfAborted } from "@crosscall/sdk/internal/core/abort";
import { InvalidInputError, MalformedDataError } from "@crosscall/sdk/internal/core/errors";
import { isPresent, readResponse } from "@crosscall/sdk/internal/protocol/schema/readResponse";
import { type RequestRecordV2, RequestRecordV2Schema } from "@crosscall/sdk/internal/protocol/v2/requestRecordV2";
import { toV3 } from "@crosscall/sdk/internal/protocol/v2/toV3";
import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { isSameFile, replaceFile } from "../terminal/replaceFile.ts";
import { BesideDataError } from "../terminal/reportError.ts";
import { type InputRecord, readRecords } from "./records/readRecords.ts";
import { type Summary, SummaryCounter, toSummaryText } from "./records/summary.ts";

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
  (json && out !== undefined ? process.stdout : process.stderr).write(text);
}

export interface ConvertRecordsParameters {
  /** `-` is standard input. */
  readonly file: string;
  /** Standard output if absent. */
  readonly outFile: string | undefined;
  /** Collects malformed records; if absent, the first one ends the conversion. */
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
    for await (const one of readRecords(input, signal)) {
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
  const writeTo = (out: Writable, options?: { readonly end: boolean }): Promise<void> =>
    pipeline(Readable.from(convert()), out, { signal, ...options });
  try {
    if (outFile === undefined) await writeTo(process.stdout, { end: false });
    // The input may be the same file.
    else await replaceFile(outFile, (handle) => writeTo(handle.createWriteStream({ flush: true })));
  } catch (error) {
    throwIfAborted(signal, "the conversion");
    // The reader of the output closed it.
    if (!isBrokenPipe(error)) throw error;
  } finally {
    await malformed?.close();
    input.destroy();
  }
  return counter.summary;
}

/** Malformed records are written from the first one on, so their file must differ from the others. */
async function requireOwnFile({ file, outFile, malformedFile }: ConvertRecordsParameters): Promise<void> {
  if (malformedFile === undefined) return;
  for (const other of [file, outFile]) {
    if (other === undefined || !(await isSameFile(malformedFile, other))) continue;
    throw new InvalidInputError({
      field: "--keep-going",
      value: malformedFile,
      reason: other === file ? "it is the file that is read" : "it is the file of --out",
      hint: "Name another file for the malformed records.",
    });
  }
}

function requireRecord({ line, at, value, text }: InputRecord): RequestRecordV2 {
  const what = line === undefined ? "the input" : `line ${line}`;
  if (text !== undefined) throw new MalformedDataError({ what, path: "", reason: "it is not JSON" });
  const record = readResponse(RequestRecordV2Schema, value);
  const [unreadable] = record.unreadable?.fields ?? [];
  if (unreadable === undefined && isPresent(record.id)) return record;
  const { path, reason } = unreadable ?? { path: "id", reason: "it is missing" };
  // The path within an array begins with the record's own.
  throw new MalformedDataError({ what, path: [at, path].filter((part) => part !== "").join("."), reason });
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
