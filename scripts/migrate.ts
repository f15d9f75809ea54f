import { Command, Option } from "commander";

import { lazily } from "./options/lazily.ts";

/** `crosscall migrate`: from the v2 listing, which ends on 24 November 2026, to v3. */
export function defineMigrate(command: Command): Command {
  return command.addCommand(reportCommand()).addCommand(recordsCommand());
}

/** `crosscall migrate report`: what code reads of v2, and what to write instead. */
function reportCommand(): Command {
  return new Command("report")
    .description("Find what TypeScript and JavaScript code reads of the v2 listing, and what v3 wants there.")
    .argument("<folder>", "the folder with the sources")
    .addOption(
      new Option("--fail-on <confidence>", "exit with 1 from this confidence on")
        .choices(["certain", "likely", "never"])
        .default("certain"),
    )
    .addOption(new Option("--json", "print one JSON object instead of progress and text").conflicts("sarif"))
    .option("--sarif", "print SARIF, for code hosts and editors")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall migrate report src",
        "  crosscall migrate report . --fail-on likely --sarif > migrate.sarif",
      ].join("\n"),
    )
    .action(lazily(async () => (await import("./migrate/report.ts")).runReport));
}

/** `crosscall migrate records`: v2 records as v3 ones. */
function recordsCommand(): Command {
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
    .action(lazily(async () => (await import("./migrate/records.ts")).runRecords));
}
