import { Option } from "commander";

import { DEPOSIT_CHANGES } from "../../localnet/scenarios/scenario.ts";
import { addAdminOptions } from "../../admin/adminOptions.ts";
import type { Command } from "../../options/command.ts";
import { parsePositive, addParameter } from "../../options/commonOptions.ts";

export function defineFills(command: Command): Command {
  addAdminOptions(command.command("hold"))
    .description(
      "Hold all new fills of a running network, or only those that match filters. A held request stays pending until it is released.",
    )
    .option(
      "--filter <field=value>",
      "hold only requests that match this field of `filters` of GET /requests/v3, such as user or originChainId; not:<field> excludes; repeatable: values of the same field are alternatives",
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
    .description("List the holds of a running network and the held fills, the oldest first.")
    .option("--limit <count>", "number of fills, up to 1000", parsePositive, 100)
    .option("--json", "print one JSON object instead of text")
    .examples(["crosscall fills list", "crosscall fills list --json"])
    .lazyAction(async () => (await import("./run.ts")).runList);

  addAdminOptions(command.command("release"))
    .description(
      "Release one held fill, by request id or --oldest, or all of them. With --all, the holds also end; otherwise they stay. Pass --amount, --scenario or --deposit to change the fill; without them, the fill is as quoted.",
    )
    .argument("[requestId]", "request to release")
    .addOption(new Option("--oldest", "release the fill that has been held longest").conflicts("all"))
    .option("--all", "end every hold, and release all fills")
    .option("--amount <amount>", "deliver this amount, in the smallest unit; not for EXACT_OUTPUT")
    .option("--below-minimum", "allow an --amount below the quoted minimum")
    .option("--scenario <scenario>", "apply a scenario from `crosscall scenarios` to the fill")
    .option("--parameter <name=value>", "parameter of the scenario; repeatable", addParameter, [])
    .addOption(
      new Option(
        "--deposit <change>",
        "drop: remove the deposit's block and all later ones; reorg: also include their transactions again",
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
