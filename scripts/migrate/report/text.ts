import colors from "picocolors";

import type { ScanResult } from "../scan/scanFolder.ts";

/** The findings for people, file by file, with what to write instead. */
export function toText({ files, durationMs, findings, unread }: ScanResult): string {
  const names = [...new Set(findings.map(({ file }) => file))];
  const sections = names.map((name) => {
    const lines = findings
      .filter(({ file }) => file === name)
      .map(({ line, column, confidence, code, replacement, reason }) =>
        [
          `  ${line}:${column}  ${colors.bold(confidence)}  ${code}`,
          `    ${colors.green("->")} ${replacement}`,
          `    ${colors.dim(reason)}`,
        ].join("\n"),
      );
    return `${colors.underline(name)}\n${lines.join("\n")}\n`;
  });
  const certain = findings.filter(({ confidence }) => confidence === "certain").length;
  const seconds = Math.max(durationMs, 1) / 1000;
  const summary =
    `${files} files: ${certain} reads of v2 are certain, ${findings.length - certain} likely ` +
    `(${Math.round(files / seconds)} files a second)`;
  const failures = unread.map(({ file, reason }) => `${colors.red("not read:")} ${file}: ${reason}`);
  return `${[...sections, ...failures, summary].join("\n")}\n`;
}
