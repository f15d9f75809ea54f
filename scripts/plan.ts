import type { Command } from "commander";

import { failOnOption } from "./options/failOn.ts";
import { lazily } from "./options/lazily.ts";
import { addPlanOptions } from "./options/planOptions.ts";

/** `crosscall plan`: the finished calls of a plan, readable and checked. */
export function definePlan(command: Command): Command {
  command.argument("[file]", "plan.json, or a module that exports plan; options come before what it says");
  return addPlanOptions(command)
    .option("--recipes", "list all recipes with their arguments, and do nothing else")
    .addOption(failOnOption())
    .option("--out <file>", "write a plan.json that is ready to be quoted, unless findings fail it")
    .option("--json", "print one JSON object instead of text")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall plan --recipes",
        "  crosscall plan plan.ts --out plan.json",
        "  crosscall plan --recipe erc4626Deposit --arg vault=0x… --arg asset=0x… --proxy 0x… \\",
        "    --trade-type EXACT_INPUT --amount 1000000 --user 0x… --refund-to 0x…",
      ].join("\n"),
    )
    .action(lazily(async () => (await import("./plan/runPlan.ts")).runPlan));
}
