import { relative } from "node:path";

import { type CallFinding, formatFindings } from "@crosscall/sdk/calls";
import type { Command } from "../../options/command.ts";
import { type FailOn, isFailing } from "../../options/commonOptions.ts";
import { checkPlan, requireCalls, nodeOf, readFacts } from "../plan/checkPlan.ts";
import { readPlan } from "../plan/readPlan.ts";
import { findNetwork } from "../../options/network.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { Stages } from "../../terminal/stages.ts";
import { toJsonLine, writeOutput } from "../../terminal/output.ts";
import { writeOut } from "../../terminal/replaceFile.ts";
import { printableData } from "@crosscall/protocol/core";

interface Options {
  readonly rpcUrl?: string;
  readonly format: "text" | "json" | "sarif";
  readonly failOn: FailOn;
  readonly out?: string;
  readonly json?: boolean;
}

export async function runCheck(file: string, options: Options, command: Command): Promise<void> {
  const { format, failOn, out, json = false } = options;
  using interrupt = interruptOnCtrlC();
  const stages = new Stages({ isSilent: json, signal: interrupt.signal });
  const plan = await readPlan({ file, signal: interrupt.signal });
  requireCalls(plan);
  const node = nodeOf(options, command, plan, findNetwork(undefined));
  const { signal } = interrupt;
  const facts =
    node === undefined
      ? {}
      : await stages.run("Read the destination chain", ({ note }) => readFacts(plan, node, { signal, note }));
  const findings = checkPlan(plan, facts);
  const fails = isFailing(findings, failOn);
  const shown = printableData(findings);
  const report = formatFindings(format === "text" ? shown : findings, { format, planFile: relative("", file) });
  if (out !== undefined) await writeOut(out, report);
  writeOutput(json ? toJson(findings, fails) : `${out === undefined ? report : formatFindings(shown)}\n`);
  if (fails) process.exitCode = 1;
}

function toJson(findings: readonly CallFinding[], fails: boolean): string {
  return toJsonLine({ ok: !fails, ...(JSON.parse(formatFindings(findings, { format: "json" })) as object) });
}
