import { compact } from "../../core/compact.ts";
import { sarifLog } from "../../core/sarif.ts";
import type { CallFinding } from "./finding.ts";
import type { RuleDescription } from "./rule.ts";
import { CALL_RULES } from "./rules.ts";

/** Findings of the checker as a SARIF log. */
export function toSarif(findings: readonly CallFinding[], planFile?: string): object {
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
