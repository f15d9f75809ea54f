import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

import { stringify } from "csv-stringify";

import { getRequest, listRequests, listRequestsV2, type ServiceClient } from "@crosscall/sdk";
import { printable, printableData, throwIfAborted } from "@crosscall/protocol/core";
import { formatFeeTable } from "@crosscall/protocol/fees";
import { recordFeeTable } from "@crosscall/protocol/request/records";
import { openService } from "../../options/network.ts";
import type { ServiceOptions } from "../../options/commonOptions.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { replaceFile } from "../../terminal/replaceFile.ts";
import { Stages } from "../../terminal/stages.ts";
import { countOf, toJsonLine, writeNotice, writeOutput } from "../../terminal/output.ts";
import { COLUMNS, eachRequest, fromV2, type ListedRequest, toRow } from "./flatRequest.ts";
import { type FilterOptions, type ListingQuery, toQuery } from "./toQuery.ts";

interface ListOptions extends FilterOptions {
  readonly limit?: number;
  readonly continuation?: string;
  readonly includeTotal?: boolean;
  readonly all?: boolean;
  readonly json?: boolean;
}

interface Listing {
  readonly requests: readonly ListedRequest[];
  readonly continuation?: string | undefined;
  readonly total?: number | undefined;
}

export async function runList({ all = false, json = false, ...options }: ListOptions): Promise<void> {
  const { includeTotal = false } = options;
  using interrupt = interruptOnCtrlC();
  const client = openService(options, { needsKey: options.v2 !== true });
  const listing = toQuery(options);
  const { requests, continuation, total } = all
    ? await everyPage(client, listing, { includeTotal, signal: interrupt.signal })
    : await pageOf(client, listing, interrupt.signal);
  if (json) {
    writeOutput(toJsonLine({ ok: true, requests: requests.map(({ raw }) => raw), continuation, total }));
    return;
  }
  writeOutput(toTable(printableData(requests)));
  if (total !== undefined) writeNotice(`${total} in total\n`);
  if (continuation !== undefined) writeNotice(`more: --continuation ${printable(continuation)}\n`);
}

async function everyPage(
  client: ServiceClient,
  listing: ListingQuery,
  { includeTotal, signal }: { readonly includeTotal: boolean; readonly signal: AbortSignal },
): Promise<Listing> {
  const requests: ListedRequest[] = [];
  for await (const request of eachRequest(client, listing, signal)) requests.push(request);
  return { requests, total: includeTotal ? requests.length : undefined };
}

async function pageOf(client: ServiceClient, listing: ListingQuery, signal: AbortSignal): Promise<Listing> {
  if (listing.version === 3) {
    const page = await listRequests(client, { ...listing.query, signal });
    return { ...page, requests: page.requests.map((raw) => ({ raw, record: raw })) };
  }
  const { requests, continuation } = await listRequestsV2(client, {
    ...listing.query,
    force: listing.force,
    signal,
  });
  return { requests: requests.map(fromV2), continuation };
}

interface GetOptions extends ServiceOptions {
  readonly includeAuthenticatedData?: boolean;
  readonly json?: boolean;
}

export async function runGet(requestId: string, { json = false, ...options }: GetOptions): Promise<void> {
  const { includeAuthenticatedData = false } = options;
  using interrupt = interruptOnCtrlC();
  const request = await getRequest(openService(options, { needsKey: true }), {
    requestId,
    ...(includeAuthenticatedData ? { includeAuthenticatedData } : {}),
    signal: interrupt.signal,
  });
  if (json) {
    writeOutput(toJsonLine({ ok: true, request }));
    return;
  }
  const shown = printableData(request);
  const fees = recordFeeTable(shown, "actual") ?? recordFeeTable(shown, "quoted");
  writeOutput(`${toDetails(shown)}${fees === undefined ? "" : `\n${formatFeeTable(fees)}\n`}`);
}

interface ExportOptions extends FilterOptions {
  readonly format: ExportFormat;
  readonly out: string;
  readonly limit: number;
  readonly json?: boolean;
}

export async function runExport({ json = false, ...options }: ExportOptions): Promise<void> {
  const { format, out: file } = options;
  using interrupt = interruptOnCtrlC();
  const stages = new Stages({ isSilent: json, signal: interrupt.signal });
  const client = openService(options, { needsKey: options.v2 !== true });
  const listing = toQuery(options);
  const count = await stages.run(`Export to ${file}`, ({ update }) =>
    writeRequests(eachRequest(client, listing, interrupt.signal), {
      format,
      file,
      signal: interrupt.signal,
      onCount: (written) => update(countOf(written, "request")),
    }),
  );
  writeOutput(json ? toJsonLine({ ok: true, requests: count, format, file }) : `${countOf(count, "request")}\n`);
}

function toTable(requests: readonly ListedRequest[]): string {
  if (requests.length === 0) return "no requests\n";
  const rows = requests.map(({ record }) => {
    const row = toRow(record);
    return [
      row.id,
      row.status,
      row.requestType,
      `${row.originChainId} -> ${row.destinationChainId}`,
      `${row.originAmountFormatted} ${row.originSymbol}`,
      `${row.destinationAmountFormatted} ${row.destinationSymbol}`,
      row.createdAt,
    ];
  });
  const header = ["request", "status", "type", "chains", "in", "out", "created"];
  const widths = header.map((name, index) => Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)));
  const lines = [header, ...rows].map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}

function toDetails(record: ListedRequest["record"]): string {
  const width = Math.max(...Object.keys(COLUMNS).map((name) => name.length));
  const lines = Object.entries(toRow(record)).flatMap(([name, cell]) =>
    cell === "" ? [] : [`${name.padEnd(width)}  ${cell}\n`],
  );
  return lines.join("");
}

export type ExportFormat = "jsonl" | "csv";

export interface WriteRequestsParameters {
  readonly format: ExportFormat;
  readonly file: string;
  readonly signal: AbortSignal;
  /** Called after each record. */
  readonly onCount: (written: number) => void;
}

/**
 * Writes the records to `<file>.<pid>.part`, which is renamed when complete and removed on failure.
 *
 * @returns number of records
 */
async function writeRequests(
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
