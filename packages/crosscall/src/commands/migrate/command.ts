import { Option } from "commander";

import type { Command } from "../../options/command.ts";

export function defineMigrate(command: Command): Command {
  command
    .command("report")
    .description(
      "Find uses of the service's retired endpoints in TypeScript, JavaScript, Vue, HTML and Python, and print their replacements. Exits with 1 on findings that --fail-on selects.",
    )
    .argument("<path>", "folder with the sources, or one file")
    .addOption(
      new Option("--fail-on <confidence>", "exit with 1 on findings of at least this confidence")
        .choices(["certain", "likely", "never"])
        .default("certain"),
    )
    .addOption(new Option("--json", "print one JSON object instead of progress and text").conflicts("sarif"))
    .option("--sarif", "print SARIF 2.1.0 for code hosts and editors")
    .examples(["crosscall migrate report src", "crosscall migrate report . --fail-on likely --sarif > migrate.sarif"])
    .lazyAction(async () => (await import("./report.ts")).runReport);

  command
    .command("records")
    .description(
      "Convert v2 request records (JSON lines, an array, or a page of the listing) to v3 JSON lines. Reports values without a v3 field on standard error.",
    )
    .argument("<file>", "file with the records; - for standard input")
    .option("--out <file>", "write the records to this file instead of standard output; it may be the input file")
    .option("--keep-going <file>", "skip malformed records and write them to this file; exits with 1")
    .option(
      "--json",
      "print the summary as one JSON object, to standard output with --out and to standard error without",
    )
    .examples([
      "crosscall migrate records v2.jsonl --out v3.jsonl",
      "curl -s … | crosscall migrate records - --keep-going malformed.jsonl > v3.jsonl",
    ])
    .lazyAction(async () => (await import("./records.ts")).runRecords);

  return command;
}
