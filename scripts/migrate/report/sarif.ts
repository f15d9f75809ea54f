import { sarifLog } from "@crosscall/sdk/internal/core/sarif";
import type { Finding } from "../scan/finding.ts";

const LEVELS = { certain: "error", likely: "warning" } as const;

/** Findings of `crosscall migrate report` as a SARIF log. */
export function toSarif(findings: readonly Finding[]): object {
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
