import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { compact, sarifLog } from "@crosscall/protocol/core";
import type { RuleDescription, Severity } from "./rule.ts";
import { CALL_RULES, type CallFinding } from "./rules.ts";

export interface FormatFindingsOptions {
  /** Text by default; "json" or "sarif" (2.1.0) for programs. */
  readonly format?: "text" | "json" | "sarif";
  /** Path of the plan file, relative to the root of the sources; used in SARIF. */
  readonly planFile?: string;
}

const SEVERITIES: readonly Severity[] = ["error", "warning", "note"];

/** Formats findings as text, JSON or SARIF. */
export function formatFindings(findings: readonly CallFinding[], parameters: FormatFindingsOptions = {}): string {
  rejectUnknownOptions(parameters, { format: 1, planFile: 1 });
  const { format = "text", planFile } = parameters;
  switch (format) {
    case "text":
      return [...findings.map(textOf), summaryOf(findings)].join("\n");
    case "json":
      return JSON.stringify(
        {
          counts: Object.fromEntries(SEVERITIES.map((severity) => [severity, count(findings, severity)])),
          // JSON has no `undefined`.
          findings: findings.map(({ index = null, ...finding }) => ({ ...finding, index })),
        },
        null,
        2,
      );
    case "sarif":
      return JSON.stringify(toSarif(findings, planFile), null, 2);
  }
}

function textOf({ code, severity, index, reason, hint }: CallFinding): string {
  return `${severity} ${code} ${index === undefined ? "request" : `txs[${index}]`}: ${reason}\n  ${hint}`;
}

function summaryOf(findings: readonly CallFinding[]): string {
  return SEVERITIES.map((severity) => {
    const number = count(findings, severity);
    return `${number} ${severity}${number === 1 ? "" : "s"}`;
  }).join(", ");
}

function count(findings: readonly CallFinding[], severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

function toSarif(findings: readonly CallFinding[], planFile?: string): object {
  const rules: [string, RuleDescription][] = Object.entries(CALL_RULES);
  return sarifLog(
    "crosscall",
    rules.map(([id, { severity, meaning, hint }]) => ({ id, text: meaning, hint, level: severity })),
    findings.map(({ code, severity, index, reason, hint }) =>
      compact({
        ruleId: code,
        level: severity,
        text: `${reason}. ${hint}`,
        name: index === undefined ? "request" : `txs[${index}]`,
        file: planFile,
      }),
    ),
  );
}
