import { Command, Option } from "commander";

import { addServiceOptions, openService } from "../options/serviceOptions.ts";
import { parsePositive } from "../options/numbers.ts";
import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { Stages } from "../terminal/stages.ts";
import { toJsonLine } from "../terminal/toJson.ts";
import { eachRequest } from "./eachRequest.ts";
import { addFilterOptions } from "./filterOptions.ts";
import { type FilterOptions, toQuery } from "./toQuery.ts";
import { EXPORT_FORMATS, type ExportFormat, writeRequests } from "./writeRequests.ts";

interface ExportOptions extends FilterOptions {
  readonly format: ExportFormat;
  readonly out: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** `crosscall requests export`: all requests that match, to a file. */
export function exportCommand(): Command {
  const command = new Command("export").description(
    "Write all requests that match to a file. The file is there when it is whole; one that was there is replaced then.",
  );
  return addFilterOptions(addServiceOptions(command))
    .addOption(
      new Option("--format <format>", "whole records as JSON lines, or their main fields as CSV")
        .choices(EXPORT_FORMATS)
        .default("jsonl"),
    )
    .requiredOption("--out <file>", "the file")
    .option("--limit <count>", "requests a page, 1 to 50", parsePositive, 50)
    .option("--json", "print one JSON object instead of progress and summary")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall requests export --out requests.jsonl",
        "  crosscall requests export --format csv --start-timestamp 2026-11-01 --out november.csv",
      ].join("\n"),
    )
    .action(runExport);
}

async function runExport({ json = false, ...options }: ExportOptions): Promise<void> {
  const { format, out: file } = options;
  const interrupt = interruptOnCtrlC();
  const stages = new Stages({ isSilent: json, signal: interrupt.signal });
  try {
    const client = openService(options);
    const listing = toQuery(options);
    const count = await stages.run(`Export to ${file}`, ({ update }) =>
      writeRequests(eachRequest(client, listing, interrupt.signal), {
        format,
        file,
        signal: interrupt.signal,
        onCount: (written) => update(`${written} requests`),
      }),
    );
    process.stdout.write(json ? toJsonLine({ ok: true, requests: count, format, file }) : `${count} requests\n`);
  } finally {
    interrupt.release();
  }
}
