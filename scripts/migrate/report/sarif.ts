import type { Finding } from "../scan/finding.ts";

const LEVELS = { certain: "error", likely: "warning" } as const;

/** The findings in the format that code hosts and editors read (SARIF 2.1.0). */
export function toSarif(findings: readonly Finding[]): Record<string, unknown> {
  const rules = new Map(findings.map(({ reads, reason }) => [reads, reason]));
  return {
    version: "2.1.0",
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    runs: [
      {
        tool: {
          driver: {
            name: "crosscall migrate report",
            rules: [...rules].map(([id, text]) => ({ id, shortDescription: { text } })),
          },
        },
        results: findings.map(({ file, line, column, confidence, reads, code, replacement, reason }) => ({
          ruleId: reads,
          level: LEVELS[confidence],
          message: { text: `${code} -> ${replacement}: ${reason}` },
          locations: [
            {
              physicalLocation: {
                // Paths may hold what URIs may not.
                artifactLocation: { uri: file.split("/").map(encodeURIComponent).join("/") },
                region: { startLine: line, startColumn: column },
              },
            },
          ],
        })),
      },
    ],
  };
}
