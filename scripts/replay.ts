import type { Command } from "commander";

import { lazily } from "./options/lazily.ts";
import { campaignCommand } from "./replay/campaign.ts";
import {
  addEnvelopeOptions,
  addOverrideOptions,
  addReplayOptions,
  collect,
  exactOption,
  parseBlock,
} from "./replay/replayOptions.ts";

/** `crosscall replay`: a fill, past or planned, on a fork of its chain. */
export function defineReplay(command: Command): Command {
  command.argument("<what>", "a request id, the hash of a fill, quote.json, plan.json, or a module that exports plan");
  addEnvelopeOptions(addOverrideOptions(addReplayOptions(command).addOption(exactOption())))
    .option("--block <number>", "on the state after this block (default: the fill's own, else the latest)", parseBlock)
    .option("--node <url>", "a running anvil or Hardhat node to run it on, in its present state, in place of a fork")
    .option("--holder <address>", "an account that holds what is delivered, for odd tokens; repeatable", collect)
    .option("--rpc-only", "only the range of amounts, by a few calls of the chain's node, without a fork")
    .option(
      "--diff <what>",
      "tell in what it differs from another: a file that was saved with --json, or anything that can be replayed, on " +
        "the same state unless it has its own",
    )
    .option(
      "--diff-block <number>",
      "compare with the state after this block, of the same fill without --diff",
      parseBlock,
    )
    .option("--html <file>", "write the report as one page that needs no network")
    .option("--json", "print one JSON object with the whole report instead of text")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall replay 0x… --rpc-url 10=https://rpc.example.com --html report.html",
        "  crosscall replay quote.json --rpc-url http://127.0.0.1:8546 --envelope",
        "  crosscall replay plan.json --amount 990000 --rpc-url http://127.0.0.1:8546 --json",
        "  crosscall replay 0x… --rpc-url https://rpc.example.com --diff plan.json",
        "  crosscall replay campaign run --help",
      ].join("\n"),
    )
    .action(lazily(async () => (await import("./replay/runReplay.ts")).runReplay));
  return command.addCommand(campaignCommand());
}
