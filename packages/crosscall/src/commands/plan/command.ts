import type { Command } from "../../options/command.ts";
import { failOnOption } from "../../options/commonOptions.ts";
import { addPlanOptions } from "./planOptions.ts";

export function definePlan(command: Command): Command {
  command.argument("[file]", "plan.json, or a module that exports `plan`; options override it");
  return addPlanOptions(command)
    .option("--recipes", "list all recipes with their arguments and exit")
    .addOption(failOnOption())
    .option("--out <file>", "write a plan.json for `crosscall quote`, unless the check fails")
    .option("--json", "print one JSON object instead of text")
    .examples([
      "crosscall plan --recipes",
      "crosscall plan plan.ts --out plan.json",
      "crosscall plan --recipe erc4626Deposit --arg vault=0x… --arg asset=0x… --proxy 0x… \\",
      "  --trade-type EXACT_INPUT --amount 1000000 --user 0x… --refund-to 0x…",
    ])
    .lazyAction(async () => (await import("./run.ts")).runPlan);
}
