import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

import { stringify } from "csv-stringify";

import { throwIfAborted } from "@crosscall/sdk/internal/core/abort";
import { replaceFile } from "../terminal/replaceFile.ts";
import type { ListedRequest } from "./eachRequest.ts";
import { COLUMNS, toRow } from "./flatRequest.ts";

export type ExportFormat = "jsonl" | "csv";

export interface WriteRequestsParameters {
  readonly format: ExportFormat;
  readonly file: string;
  readonly signal: AbortSignal;
  /** Called after each record. */
  readonly onCount: (written: number) => void;
}

/**
 * Writes to `<file>.<pid>.part`, which is renamed when complete and removed on failure.
 *
 * @returns number of records
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
