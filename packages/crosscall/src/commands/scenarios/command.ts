import { Option } from "commander";

import { SCENARIO_FAMILIES } from "../../localnet/scenarios/scenario.ts";
import { addAdminOptions } from "../../admin/adminOptions.ts";
import type { Command } from "../../options/command.ts";
import { parsePositive, addParameter } from "../../options/commonOptions.ts";

export function defineScenarios(command: Command): Command {
  command
    .command("list", { isDefault: true })
    .description("List all scenarios, with the cause, the effect, and how to handle each.")
    .addOption(new Option("--family <family>", "only scenarios of this family").choices(SCENARIO_FAMILIES))
    .option("--json", "print one JSON object instead of text")
    .examples(["crosscall scenarios", "crosscall scenarios list --json"])
    .lazyAction(async () => (await import("./run.ts")).runList);

  addAdminOptions(command.command("set"))
    .description(
      "Set a scenario on a running network, for the next requests or HTTP requests, or for all until it is cleared.",
    )
    .argument("<scenario>", "scenario from `crosscall scenarios`")
    .option("--next <count>", "number of requests that it applies to (default: all, until cleared)", parsePositive)
    .option(
      "--parameter <name=value>",
      "parameter of the scenario; separate list items with semicolons; repeatable",
      addParameter,
      [],
    )
    .option("--json", "print one JSON object instead of text")
    .examples([
      "crosscall scenarios set SLIPPAGE --next 3",
      "crosscall scenarios set delivery --parameter bps=50 --parameter kind=normal --parameter seed=7",
      "crosscall scenarios set http:503 --parameter probability=0.2 --parameter 'routes=/quote/v3;/requests/v3'",
    ])
    .lazyAction(async () => (await import("./run.ts")).runSet);

  addAdminOptions(command.command("show"))
    .description("Show the scenarios that are set on a running network, and how many more times each applies.")
    .option("--json", "print one JSON object instead of text")
    .examples(["crosscall scenarios show --json"])
    .lazyAction(async () => (await import("./run.ts")).runShow);

  addAdminOptions(command.command("clear"))
    .description("Clear one scenario or all. Requests that `stuck` holds continue.")
    .argument("[scenario]", "scenario (default: all)")
    .option("--json", "print one JSON object instead of text")
    .examples(["crosscall scenarios clear", "crosscall scenarios clear stuck"])
    .lazyAction(async () => (await import("./run.ts")).runClear);

  return command;
}
