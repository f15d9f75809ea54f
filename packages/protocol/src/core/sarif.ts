export interface SarifRule {
  readonly id: string;
  readonly text: string;
  readonly hint?: string;
  readonly level?: SarifLevel;
}

export interface SarifResult {
  readonly ruleId: string;
  readonly level: SarifLevel;
  readonly text: string;
  /** Path relative to the root of the sources. */
  readonly file?: string;
  /** From 1. */
  readonly start?: { readonly line: number; readonly column: number };
  /** Place of the finding in the file, such as `txs[1]`. */
  readonly name?: string;
}

export type SarifLevel = "error" | "warning" | "note";

/** Returns a log in the Static Analysis Results Interchange Format 2.1.0 (OASIS). */
export function sarifLog(tool: string, rules: readonly SarifRule[], results: readonly SarifResult[]): object {
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: tool,
            rules: rules.map(({ id, text, hint, level }) => ({
              id,
              shortDescription: { text },
              ...(hint !== undefined && { help: { text: hint } }),
              ...(level !== undefined && { defaultConfiguration: { level } }),
            })),
          },
        },
        results: results.map((result) => ({
          ruleId: result.ruleId,
          ruleIndex: rules.findIndex(({ id }) => id === result.ruleId),
          level: result.level,
          message: { text: result.text },
          locations: [toLocation(result)],
        })),
      },
    ],
  };
}

function toLocation({ file, start, name }: SarifResult): object {
  return {
    ...(file !== undefined && {
      physicalLocation: {
        artifactLocation: { uri: toUri(file) },
        ...(start !== undefined && { region: { startLine: start.line, startColumn: start.column } }),
      },
    }),
    ...(name !== undefined && { logicalLocations: [{ fullyQualifiedName: name }] }),
  };
}

/** Converts a path to a URI. Encodes colons, because a colon in the first segment would end a scheme (RFC 3986). */
function toUri(path: string): string {
  return path.split(/[\\/]/u).map(encodeURIComponent).join("/");
}
