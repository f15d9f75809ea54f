import type { CallFinding } from "./finding.ts";
import type { RuleDescription } from "./rule.ts";
import { CALL_RULES } from "./rules.ts";

/** Findings as a log of the Static Analysis Results Interchange Format 2.1.0 (OASIS). */
export function toSarif(findings: readonly CallFinding[], planFile?: string): object {
  const rules: [string, RuleDescription][] = Object.entries(CALL_RULES);
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "crosscall",
            rules: rules.map(([id, { severity, meaning, hint }]) => ({
              id,
              shortDescription: { text: meaning },
              help: { text: hint },
              defaultConfiguration: { level: severity },
            })),
          },
        },
        results: findings.map(({ code, severity, index, reason, hint }) => ({
          ruleId: code,
          ruleIndex: rules.findIndex(([id]) => id === code),
          level: severity,
          message: { text: `${reason}. ${hint}` },
          locations: [
            {
              ...(planFile === undefined ? {} : { physicalLocation: { artifactLocation: { uri: uriOf(planFile) } } }),
              logicalLocations: [{ fullyQualifiedName: index === undefined ? "request" : `txs[${index}]` }],
            },
          ],
        })),
      },
    ],
  };
}

/** A relative reference of RFC 3986, in which a first part with a colon would be a scheme. */
function uriOf(path: string): string {
  const parts = path.split(/[\\/]/u).map(encodeURIComponent);
  return parts.join("/");
}
