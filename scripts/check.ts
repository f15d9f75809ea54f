import { relative } from "node:path";

import { Command, Option } from "commander";

import { type CallFinding, formatFindings } from "../src/calls/index.ts";
import { type FailOn, failOnOption, isFailing } from "./options/failOn.ts";
import { checkPlan, requireCalls } from "./plan/checkPlan.ts";
import { destinationRpcUrlOption, nodeOf, readFacts } from "./plan/readFacts.ts";
import { readPlan } from "./plan/readPlan.ts";
import { interruptOnCtrlC } from "./terminal/interrupt.ts";
import { Stages } from "./terminal/stages.ts";
import { toJsonLine } from "./terminal/toJson.ts";
import { writeOut } from "./terminal/writeOut.ts";

const FORMATS = ["text", "json", "sarif"] as const;

interface Options {
  readonly rpcUrl?: string;
  readonly format: (typeof FORMATS)[number];
  readonly failOn: FailOn;
  readonly out?: string;
  readonly json?: boolean;
}

/** `crosscall check`: what is wrong with the calls of a plan. */
export function checkCommand(): Command {
  return new Command("check")
    .description("Find what would fail, lose funds or leave some behind in the calls of a plan.")
    .argument("<file>", "plan.json, or a module that exports plan")
    .addOption(
      destinationRpcUrlOption("the destination chain's JSON-RPC endpoint, to ask for code, vaults and allowances"),
    )
    .addOption(new Option("--format <format>", "of the report").choices(FORMATS).default("text"))
    .addOption(failOnOption())
    .option("--out <file>", "write the report to this file, and text to standard output")
    .addOption(new Option("--json", "print one JSON object; the report goes to --out only"))
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall check plan.json --rpc-url http://127.0.0.1:8546",
        "  crosscall check plan.ts --fail-on warning --format sarif --out calls.sarif",
      ].join("\n"),
    )
    .action(runCheck);
}

async function runCheck(file: string, options: Options, command: Command): Promise<void> {
  const { format, failOn, out, json = false } = options;
  const interrupt = interruptOnCtrlC();
  const stages = new Stages({ isSilent: json, signal: interrupt.signal });
  try {
    const plan = await readPlan({ file, signal: interrupt.signal });
    requireCalls(plan);
    const node = nodeOf(options, command);
    const { signal } = interrupt;
    const facts =
      node === undefined
        ? {}
        : await stages.run("Ask the destination chain", ({ note }) => readFacts(plan, node, { signal, note }));
    const findings = checkPlan(plan, facts);
    const fails = isFailing(findings, failOn);
    const report = formatFindings(findings, { format, planFile: relative("", file) });
    if (out !== undefined) await writeOut(out, report);
    process.stdout.write(json ? toJson(findings, fails) : `${out === undefined ? report : formatFindings(findings)}\n`);
    if (fails) process.exitCode = 1;
  } finally {
    interrupt.release();
  }
}

function toJson(findings: readonly CallFinding[], fails: boolean): string {
  return toJsonLine({ ok: !fails, ...(JSON.parse(formatFindings(findings, { format: "json" })) as object) });
}
