import type { Command } from "../../options/command.ts";
import { defineCampaign } from "./campaign.ts";
import {
  addEnvelopeOptions,
  addOverrideOptions,
  addReplayOptions,
  collect,
  exactOption,
  parseBlock,
} from "./replayOptions.ts";

export function defineReplay(command: Command): Command {
  command.argument(
    "<what>",
    "request id, hash of a fill, signature on an SVM chain, quote.json, plan.json, or a module that exports `plan`",
  );
  addEnvelopeOptions(addOverrideOptions(addReplayOptions(command).addOption(exactOption())))
    .option("--block <number>", "use the state after this block (default: the fill's block, or the latest)", parseBlock)
    .option("--node <url>", "run on this anvil or Hardhat node in its current state instead of a fork")
    .option(
      "--holder <address>",
      "account that holds the delivered token, to transfer from if the token's balances cannot be set; repeatable",
      collect,
    )
    .option("--rpc-only", "only find the range of amounts that work, with a few RPC requests instead of a fork")
    .option(
      "--diff <what>",
      "show the differences from another replay: a report saved with --json, or any input that can be replayed, on " +
        "the same state unless the input specifies its own",
    )
    .option(
      "--diff-block <number>",
      "compare with the state after this block; without --diff, the same fill",
      parseBlock,
    )
    .option("--html <file>", "write the report as a self-contained HTML page")
    .option("--json", "print one JSON object with the complete report instead of text")
    .examples([
      "crosscall replay 0x… --rpc-url 10=https://rpc.example.com --html report.html",
      "crosscall replay quote.json --rpc-url http://127.0.0.1:8546 --envelope",
      "crosscall replay plan.json --amount 990000 --rpc-url http://127.0.0.1:8546 --json",
      "crosscall replay 0x… --rpc-url https://rpc.example.com --diff plan.json",
      "crosscall replay 5VER… --rpc-url 792703809=https://rpc.example.com --json",
      "crosscall replay campaign run --help",
    ])
    .lazyAction(async () => (await import("./run.ts")).runReplay);
  defineCampaign(command.command("campaign"));
  return command;
}
