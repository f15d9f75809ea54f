import { Command, Option } from "commander";

import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { Stages } from "../terminal/stages.ts";
import { toSarif } from "./report/sarif.ts";
import { toText } from "./report/text.ts";
import type { Confidence } from "./scan/finding.ts";
import type { ScanResult } from "./scan/scanFolder.ts";

interface ReportOptions {
  readonly failOn: Confidence | "never";
  readonly json?: boolean;
  readonly sarif?: boolean;
}

/** `crosscall migrate report`: what code reads of v2, and what to write instead. */
export function reportCommand(): Command {
  return new Command("report")
    .description("Find what TypeScript and JavaScript code reads of the v2 listing, and what v3 wants there.")
    .argument("<folder>", "the folder with the sources")
    .addOption(
      new Option("--fail-on <confidence>", "exit with 1 from this confidence on")
        .choices(["certain", "likely", "never"])
        .default("certain"),
    )
    .addOption(new Option("--json", "print one JSON object instead of progress and text").conflicts("sarif"))
    .option("--sarif", "print SARIF, for code hosts and editors")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall migrate report src",
        "  crosscall migrate report . --fail-on likely --sarif > migrate.sarif",
      ].join("\n"),
    )
    .action(runReport);
}

async function runReport(folder: string, { failOn, json = false, sarif = false }: ReportOptions): Promise<void> {
  const interrupt = interruptOnCtrlC();
  const stages = new Stages({ isSilent: json || sarif, signal: interrupt.signal });
  try {
    const result = await stages.run(`Scan ${folder}`, async ({ update }) => {
      // The compiler is heavy, and the other commands do without it.
      const { scanFolder } = await import("./scan/scanFolder.ts");
      return scanFolder(folder, interrupt.signal, update);
    });
    const isFailing = result.findings.some(({ confidence }) => failOn === "likely" || confidence === failOn);
    process.stdout.write(toOutput(result, { json, sarif, isFailing }));
    if (isFailing) process.exitCode = 1;
  } finally {
    interrupt.release();
  }
}

function toOutput(result: ScanResult, format: { json: boolean; sarif: boolean; isFailing: boolean }): string {
  if (format.json) return `${JSON.stringify({ ok: !format.isFailing, ...result })}\n`;
  return format.sarif ? `${JSON.stringify(toSarif(result.findings), undefined, 2)}\n` : toText(result);
}
