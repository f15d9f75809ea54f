import { Command } from "commander";

import { type CallFinding, decodeCalls, formatCalls, formatFindings } from "../src/calls/index.ts";
import { type FailOn, failOnOption, isFailing } from "./options/failOn.ts";
import { addPlanOptions, type PlanOptions, toPlanOverrides } from "./options/planOptions.ts";
import { checkPlan, requireCalls } from "./plan/checkPlan.ts";
import { formatRecipes, listRecipes } from "./plan/describeRecipes.ts";
import type { FinishedPlan } from "./plan/finishPlan.ts";
import { readPlan } from "./plan/readPlan.ts";
import { toPlanFile } from "./plan/toPlanFile.ts";
import { interruptOnCtrlC } from "./terminal/interrupt.ts";
import { toJsonLine } from "./terminal/toJson.ts";
import { writeOut } from "./terminal/writeOut.ts";

interface Options extends PlanOptions {
  readonly recipes?: boolean;
  readonly failOn: FailOn;
  readonly out?: string;
  readonly json?: boolean;
}

/** `crosscall plan`: the finished calls of a plan, readable and checked. */
export function planCommand(): Command {
  const command = new Command("plan")
    .description("Make the calls of a plan, print them as text, and check them. Nothing is sent anywhere.")
    .argument("[file]", "plan.json, or a module that exports plan; options come before what it says");
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
    .action(runPlan);
}

async function runPlan(file: string | undefined, options: Options): Promise<void> {
  const { json = false, failOn, out } = options;
  if (options.recipes === true) {
    const recipes = listRecipes();
    process.stdout.write(json ? toJsonLine({ ok: true, recipes }) : `${formatRecipes(recipes)}\n`);
    return;
  }
  const interrupt = interruptOnCtrlC();
  try {
    const plan = await readPlan({ file, overrides: toPlanOverrides(options), signal: interrupt.signal });
    const findings = checkPlan(plan);
    const fails = isFailing(findings, failOn);
    if (out !== undefined && !fails) await writeOut(out, JSON.stringify(toPlanFile(plan), undefined, 2));
    process.stdout.write(json ? toJsonLine({ ok: !fails, ...toPlanFile(plan), findings }) : toText(plan, findings));
    if (fails) process.exitCode = 1;
  } finally {
    interrupt.release();
  }
}

function toText(plan: FinishedPlan, findings: readonly CallFinding[]): string {
  const { tradeType, amount, destinationCurrency, txs } = requireCalls(plan);
  const terms = `${tradeType} of ${amount}; delivers ${destinationCurrency}`;
  return `${[terms, formatCalls(decodeCalls(txs)), formatFindings(findings)].join("\n")}\n`;
}
