import { sarifLog } from "@crosscall/protocol/core";

import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { Stages } from "../../terminal/stages.ts";
import type { Confidence, Finding } from "./scan/rules.ts";
import type { ScanResult } from "./scan/scanFolder.ts";
import { outputColors, writeOutput } from "../../terminal/output.ts";

const LEVELS = { certain: "error", likely: "warning" } as const;

/** Number of skipped paths to print. JSON has all. */
const SHOWN_SKIPPED = 10;

interface ReportOptions {
  readonly failOn: Confidence | "never";
  readonly json?: boolean;
  readonly sarif?: boolean;
}

export async function runReport(path: string, { failOn, json = false, sarif = false }: ReportOptions): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const stages = new Stages({ isSilent: json || sarif, signal: interrupt.signal });
  const result = await stages.run(`Scan ${path}`, async ({ update }) => {
    // Imported here, because the compiler is large and other commands do not need it.
    const { scanFolder } = await import("./scan/scanFolder.ts");
    return scanFolder(path, interrupt.signal, update);
  });
  const isFailing = result.findings.some(({ confidence }) => failOn === "likely" || confidence === failOn);
  writeOutput(toOutput(result, { json, sarif, isFailing }));
  if (isFailing) process.exitCode = 1;
}

function toOutput(result: ScanResult, format: { json: boolean; sarif: boolean; isFailing: boolean }): string {
  if (format.json) return `${JSON.stringify({ ok: !format.isFailing, ...result })}\n`;
  return format.sarif ? `${JSON.stringify(toSarif(result.findings), undefined, 2)}\n` : toText(result);
}

function toSarif(findings: readonly Finding[]): object {
  const rules = new Map(findings.map(({ reads, reason }) => [reads, reason]));
  return sarifLog(
    "crosscall migrate report",
    [...rules].map(([id, text]) => ({ id, text })),
    findings.map(({ file, line, column, confidence, reads, code, replacement, reason }) => ({
      ruleId: reads,
      level: LEVELS[confidence],
      text: `${code} -> ${replacement}: ${reason}`,
      file,
      start: { line, column },
    })),
  );
}

function toText({ files, durationMs, findings, unread, skipped }: ScanResult): string {
  const names = [...new Set(findings.map(({ file }) => file))];
  const sections = names.map((name) => {
    const lines = findings
      .filter(({ file }) => file === name)
      .map(({ line, column, confidence, code, replacement, reason }) =>
        [
          `  ${line}:${column}  ${outputColors.bold(confidence)}  ${code}`,
          `    ${outputColors.green("->")} ${replacement}`,
          `    ${outputColors.dim(reason)}`,
        ].join("\n"),
      );
    return `${outputColors.underline(name)}\n${lines.join("\n")}\n`;
  });
  const certain = findings.filter(({ confidence }) => confidence === "certain").length;
  const seconds = Math.max(durationMs, 1) / 1000;
  const summary =
    `${files} files: ${certain} certain and ${findings.length - certain} likely uses of retired endpoints ` +
    `(${Math.round(files / seconds)} files a second)`;
  const failures = unread.map(({ file, reason }) => `${outputColors.red("not read:")} ${file}: ${reason}`);
  const shown = skipped.slice(0, SHOWN_SKIPPED).map(({ path, reason }) => `${path} (${reason})`);
  const more = skipped.length > shown.length ? [`and ${skipped.length - shown.length} more`] : [];
  const skips = skipped.length === 0 ? [] : [`${outputColors.dim("skipped:")} ${[...shown, ...more].join(", ")}`];
  return `${[...sections, ...failures, ...skips, summary].join("\n")}\n`;
}
