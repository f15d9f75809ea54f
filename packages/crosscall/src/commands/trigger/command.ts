import { Option } from "commander";

import { addAdminOptions } from "../../admin/adminOptions.ts";
import type { Command } from "../../options/command.ts";
import { addParameter, quoteVersionOption } from "../../options/commonOptions.ts";

export function defineTrigger(command: Command): Command {
  return addAdminOptions(command)
    .argument("<scenario>", "scenario from `crosscall scenarios`, or `success` for a request that is filled")
    .option(
      "--parameter <name=value>",
      "parameter of the scenario; separate list items with semicolons; repeatable",
      addParameter,
      [],
    )
    .addOption(
      new Option("--api-key <key>", "API key of the network; prefer the environment variable").env("CROSSCALL_API_KEY"),
    )
    .addOption(quoteVersionOption())
    .option("--json", "print one JSON object instead of text")
    .examples([
      "crosscall trigger success",
      "crosscall trigger SLIPPAGE",
      "crosscall trigger delivery --parameter bps=-50",
      "crosscall trigger quote:NO_QUOTES --json",
    ])
    .lazyAction(async () => (await import("./run.ts")).runTrigger);
}
