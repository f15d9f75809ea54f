import { Option } from "commander";

import { DEPOSIT_CHANGES } from "../../localnet/scenarios/scenario.ts";
import { addAdminOptions } from "../../admin/adminOptions.ts";
import type { Command } from "../../options/command.ts";
import { parsePositive, addParameter } from "../../options/commonOptions.ts";

export function defineFills(command: Command): Command {
  addAdminOptions(command.command("hold"))
    .description(
      "Hold fills of a running network from now on, all or those with the given fields. A held request stays pending until it is released.",
    )
    .option(
      "--filter <field=value>",
      "hold requests with this field of `filters` of GET /requests/v3, such as user or originChainId; not:<field> excludes; repeatable: values of one field are alternatives",
      addParameter,
      [],
    )
    .option("--json", "print one JSON object instead of text")
    .examples([
      "crosscall fills hold",
      "crosscall fills hold --filter destinationChainId=31338 --filter currencyOutSymbol=USDC",
      "crosscall fills hold --filter not:user=0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    ])
    .lazyAction(async () => (await import("./run.ts")).runHold);

  addAdminOptions(command.command("list"))
    .description("List the holds of a running network and the fills that wait, the oldest first.")
    .option("--limit <count>", "number of fills, up to 1000", parsePositive, 100)
    .option("--json", "print one JSON object instead of text")
    .examples(["crosscall fills list", "crosscall fills list --json"])
    .lazyAction(async () => (await import("./run.ts")).runList);

  addAdminOptions(command.command("release"))
    .description(
      "Release a held fill, the one that was held first, or all. With --all, the holds end; otherwise they stay. Choose one of --amount, --scenario and --deposit, or none to fill as quoted.",
    )
    .argument("[requestId]", "request to release")
    .addOption(new Option("--oldest", "release the fill that was held first").conflicts("all"))
    .option("--all", "end every hold, and release all fills")
    .option("--amount <amount>", "deliver this amount, in the smallest unit; not for EXACT_OUTPUT")
    .option("--below-minimum", "allow an --amount below the quoted minimum")
    .option("--scenario <scenario>", "let the fill fail or differ by a scenario from `crosscall scenarios`")
    .option("--parameter <name=value>", "parameter of the scenario; repeatable", addParameter, [])
    .addOption(
      new Option(
        "--deposit <change>",
        "drop: remove the deposit's block and all later ones; reorg: do the same, and include their transactions again",
      ).choices(DEPOSIT_CHANGES),
    )
    .option("--json", "print one JSON object instead of text")
    .examples([
      "crosscall fills release --oldest",
      "crosscall fills release --oldest --amount 24500000",
      "crosscall fills release 0x2f5c… --scenario SLIPPAGE",
      "crosscall fills release 0x2f5c… --deposit reorg",
      "crosscall fills release --all",
    ])
    .lazyAction(async () => (await import("./run.ts")).runRelease);

  return command;
}
