import { Option } from "commander";

import type { Command } from "../../options/command.ts";
import { parsePositive, addServiceOptions } from "../../options/commonOptions.ts";
import { addFilterOptions } from "./filterOptions.ts";

export function defineRequests(command: Command): Command {
  addFilterOptions(addServiceOptions(command.command("list")))
    .description(
      "List requests, newest first: one page or all. Each filter option is the API parameter with the same name, except that --made-with is apiKey. Requests must match all filters.",
    )
    .option("--limit <count>", "requests per page, 1 to 50", parsePositive, 20)
    .option("--continuation <cursor>", "cursor of the previous page")
    .option("--include-total", "include the total number of matching requests")
    .option("--all", "list all pages; use `requests export` for many requests")
    .option("--json", "print one JSON object with complete records instead of a table")
    .examples([
      "crosscall requests list --status failure --start-timestamp 2026-11-16 --amount-usd-min 100",
      'crosscall requests list --filters \'[{"status":"refund","not:refundTxHash":null}]\' --all --json',
    ])
    .lazyAction(async () => (await import("./list.ts")).runList);

  addServiceOptions(command.command("get"))
    .description("Show the record of one request and its fees.")
    .argument("<requestId>", "request id")
    .option("--include-authenticated-data", "include fields that are visible only to the integrator")
    .option("--json", "print one JSON object with the complete record instead of text")
    .examples(["crosscall requests get 0x…", "crosscall requests get 0x… --json"])
    .lazyAction(async () => (await import("./list.ts")).runGet);

  addFilterOptions(addServiceOptions(command.command("export")))
    .description(
      "Write all matching requests to a file. An existing file is replaced only when the export is complete.",
    )
    .addOption(
      new Option("--format <format>", "complete records as JSON lines, or their main fields as CSV")
        .choices(["jsonl", "csv"])
        .default("jsonl"),
    )
    .requiredOption("--out <file>", "output file")
    .option("--limit <count>", "requests per page, 1 to 50", parsePositive, 50)
    .option("--json", "print one JSON object instead of progress and summary")
    .examples([
      "crosscall requests export --out requests.jsonl",
      "crosscall requests export --format csv --start-timestamp 2026-11-01 --out november.csv",
    ])
    .lazyAction(async () => (await import("./list.ts")).runExport);

  return command;
}
