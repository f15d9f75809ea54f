import { Command } from "commander";

import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { BesideDataError } from "../terminal/reportError.ts";
import { convertRecords } from "./records/convertRecords.ts";
import { type Summary, toSummaryText } from "./records/summary.ts";

interface RecordsOptions {
  readonly out?: string;
  readonly keepGoing?: string;
  readonly json?: boolean;
}

/** `crosscall migrate records`: v2 records as v3 ones. */
export function recordsCommand(): Command {
  return new Command("records")
    .description("Convert v2 request records to v3: JSON lines, an array or a page of the listing, to JSON lines.")
    .argument("<file>", "the file with the records; - for standard input")
    .option("--out <file>", "write the records to this file, not to standard output; it may be the one that is read")
    .option("--keep-going <file>", "go on past malformed records, and write them to this file as they are")
    .option("--json", "print the summary as one JSON object; to standard output where --out takes the records")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall migrate records v2.jsonl --out v3.jsonl",
        "  curl -s … | crosscall migrate records - --keep-going malformed.jsonl > v3.jsonl",
      ].join("\n"),
    )
    .action(runRecords);
}

async function runRecords(file: string, options: RecordsOptions): Promise<void> {
  const interrupt = interruptOnCtrlC();
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
  } finally {
    interrupt.release();
  }
}

function writeSummary(summary: Summary, { json = false, out }: RecordsOptions): void {
  const text = json
    ? `${JSON.stringify({ ok: summary.malformed.length === 0, ...summary })}\n`
    : toSummaryText(summary);
  (json && out !== undefined ? process.stdout : process.stderr).write(text);
}
