import type { Command } from "../../options/command.ts";
import { addDatabaseOptions, parsePositive } from "../../options/commonOptions.ts";
import { addFilterOptionsV3 } from "../requests/filterOptions.ts";
import { addReplayOptions, exactOption, parseAmountOption } from "./replayOptions.ts";

export function defineCampaign(command: Command): void {
  command.description("Replay many fills with several workers, on one or more machines. A stopped campaign resumes.");

  const run = command
    .command("run")
    .description(
      "Replay the fills of all matching requests, or of the plans and quotes in a folder. Run the same command again to resume " +
        "after an interruption. Exits with 1 if a fill fails or cannot be replayed.",
    );
  addFilterOptionsV3(addDatabaseOptions(addReplayOptions(run).addOption(exactOption()), "the campaign"))
    .option("--plans <folder>", "replay the plans and quotes in this folder instead of requests")
    .option(
      "--amount <amount>",
      "with --plans: delivered amount of EXACT_INPUT plans, in the smallest unit",
      parseAmountOption,
    )
    .option("--limit <count>", "maximum number of requests (default: all)", parsePositive)
    .option("--name <name>", "name of the campaign (default: derived from its fills)")
    .option("--workers <count>", "number of fills to replay at once", parsePositive, 2)
    .option("--retry-errors", "retry fills that could not be replayed")
    .option("--junit <file>", "write the results as JUnit XML")
    .option("--json", "print one JSON object instead of progress and summary")
    .examples([
      "crosscall replay campaign run --status failure --rpc-url 10=https://rpc.example.com",
      "crosscall replay campaign run --plans plans --rpc-url http://127.0.0.1:8546 --junit replay.xml",
      "crosscall replay campaign run --database-url postgres://me@db.internal/replays --workers 4 …",
    ])
    .lazyAction(async () => (await import("./campaign/run.ts")).runRun);

  const work = command
    .command("work")
    .description(
      "Work on the campaigns in a PostgreSQL database until Ctrl-C, on any number of machines. Unfinished work is " +
        "released.",
    );
  addDatabaseOptions(addReplayOptions(work), "the campaigns")
    .option("--workers <count>", "number of fills to replay at once", parsePositive, 2)
    .option("--json", "print one JSON object when the worker starts")
    .examples([
      "crosscall replay campaign work --database-url postgres://me@db.internal/replays --rpc-url 10=https://…",
    ])
    .lazyAction(async () => (await import("./campaign/run.ts")).runWork);

  addDatabaseOptions(command.command("show"), "the campaign")
    .description("List campaigns, show the progress of one, or show the report of one fill.")
    .argument("[name]", "name of the campaign")
    .argument("[fill]", "request id or plan name of the fill")
    .option("--html <file>", "with a fill: write its report as a self-contained page")
    .option("--junit <file>", "without a fill: write the results as JUnit XML")
    .option("--json", "print one JSON object instead of text")
    .examples([
      "crosscall replay campaign show",
      "crosscall replay campaign show november --junit replay.xml",
      "crosscall replay campaign show november 0x… --html report.html",
    ])
    .lazyAction(async () => (await import("./campaign/run.ts")).runShow);
}
