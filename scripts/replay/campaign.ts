import { Command } from "commander";

import { addDatabaseOptions } from "../options/databaseOptions.ts";
import { lazily } from "../options/lazily.ts";
import { parsePositive } from "../options/numbers.ts";
import { addFilterOptionsV3 } from "../requests/filterOptions.ts";
import { addReplayOptions, exactOption, parseAmountOption } from "./replayOptions.ts";

/** `crosscall replay campaign`: many fills. */
export function campaignCommand(): Command {
  return new Command("campaign")
    .description("Replay many fills, with several workers, on one machine or on many; it may be stopped and goes on.")
    .addCommand(runCommand())
    .addCommand(workCommand())
    .addCommand(showCommand());
}

/** `crosscall replay campaign run`: all fills of a folder or of the requests that match. */
function runCommand(): Command {
  const command = new Command("run").description(
    "Replay all fills of the requests that match, or of a folder of plans and quotes. It may be stopped at any moment: " +
      "the same command goes on, and replays nothing twice.",
  );
  return addFilterOptionsV3(addDatabaseOptions(addReplayOptions(command).addOption(exactOption()), "the campaign"))
    .option("--plans <folder>", "instead of requests: the plans and quotes in this folder")
    .option(
      "--amount <amount>",
      "with --plans: what is delivered for plans with EXACT_INPUT, in the smallest unit",
      parseAmountOption,
    )
    .option("--limit <count>", "requests at most (default: all that match)", parsePositive)
    .option("--name <name>", "of the campaign (default: one for the same fills)")
    .option("--workers <count>", "how many fills are replayed at once", parsePositive, 2)
    .option("--retry-errors", "try again what could not be replayed before")
    .option("--junit <file>", "write the results as JUnit's XML")
    .option("--json", "print one JSON object instead of progress and summary")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall replay campaign run --status failure --rpc-url 10=https://rpc.example.com",
        "  crosscall replay campaign run --plans plans --rpc-url http://127.0.0.1:8546 --junit replay.xml",
        "  crosscall replay campaign run --database-url postgres://me@db.internal/replays --workers 4 …",
      ].join("\n"),
    )
    .action(lazily(async () => (await import("./campaign/run.ts")).runRun));
}

/** `crosscall replay campaign work`: a worker of the campaigns that others run. */
function workCommand(): Command {
  const command = new Command("work").description(
    "Work on the campaigns of a PostgreSQL database, beside those who run them, until Ctrl-C. What is under way then " +
      "is given back.",
  );
  return addDatabaseOptions(addReplayOptions(command), "the campaigns")
    .option("--workers <count>", "how many fills are replayed at once", parsePositive, 2)
    .option("--json", "print one JSON object when the work begins")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall replay campaign work --database-url postgres://me@db.internal/replays --rpc-url 10=https://…",
      ].join("\n"),
    )
    .action(lazily(async () => (await import("./campaign/work.ts")).runWork));
}

/** `crosscall replay campaign show`: which campaigns there are, or what came out of one, or of one of its fills. */
function showCommand(): Command {
  return addDatabaseOptions(
    new Command("show")
      .description("List the campaigns, or show how one stands, or the report of one of its fills.")
      .argument("[name]", "the campaign")
      .argument("[fill]", "a request id, or the name of a plan"),
    "the campaign",
  )
    .option("--html <file>", "with a fill: write its report as one page")
    .option("--junit <file>", "without a fill: write the results as JUnit's XML")
    .option("--json", "print one JSON object instead of text")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall replay campaign show",
        "  crosscall replay campaign show november --junit replay.xml",
        "  crosscall replay campaign show november 0x… --html report.html",
      ].join("\n"),
    )
    .action(lazily(async () => (await import("./campaign/show.ts")).runShow));
}
