import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { BesideDataError } from "../terminal/reportError.ts";
import { convertRecords } from "./records/convertRecords.ts";
import { type Summary, toSummaryText } from "./records/summary.ts";

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
