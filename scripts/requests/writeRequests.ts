import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

import { stringify } from "csv-stringify";

import { throwIfAborted } from "@crosscall/sdk/internal/core/abort";
import { replaceFile } from "../terminal/replaceFile.ts";
import type { ListedRequest } from "./eachRequest.ts";
import { COLUMNS, toRow } from "./flatRequest.ts";

/** A format of an export. */
export type ExportFormat = "jsonl" | "csv";

/** Where requests are written to, and how. */
export interface WriteRequestsParameters {
  readonly format: ExportFormat;
  readonly file: string;
  readonly signal: AbortSignal;
  /** Told how many are written, after each. */
  readonly onCount: (written: number) => void;
}

/**
 * Writes requests as they come. They go to a file beside it, `<file>.<pid>.part`, which takes the name when it is whole
 * and is removed when it cannot be.
 *
 * @returns how many they are
 * @throws {@link InvalidInputError} when the file cannot be written
 * @throws {@link AbortedError} when the signal fires
 */
export async function writeRequests(
  requests: AsyncIterable<ListedRequest>,
  { format, file, signal, onCount }: WriteRequestsParameters,
): Promise<number> {
  let written = 0;
  async function* toItems(): AsyncGenerator {
    for await (const { raw, record } of requests) {
      yield format === "csv" ? toRow(record) : raw;
      written += 1;
      onCount(written);
    }
  }
  return replaceFile(file, async (handle) => {
    try {
      await pipeline(Readable.from(toItems()), toText(format), handle.createWriteStream({ flush: true }), { signal });
      return written;
    } catch (error) {
      throwIfAborted(signal, "the export");
      throw error;
    }
  });
}

function toText(format: ExportFormat): Transform {
  switch (format) {
    case "csv":
      return stringify({ header: true, columns: Object.keys(COLUMNS) });
    case "jsonl":
      return new Transform({
        writableObjectMode: true,
        transform(record: unknown, _encoding, done) {
          done(null, `${JSON.stringify(record)}\n`);
        },
      });
    default:
      return format satisfies never;
  }
}
