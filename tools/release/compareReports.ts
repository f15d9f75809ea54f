/** Lines that a public API lost or gained, each with its report and declaration. */
export interface ApiChanges {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Reports by name of the file. */
export type ApiReports = Readonly<Record<string, string>>;

/**
 * Compares reports of the public API line by line, within each declaration. A changed line is removed and added. The order
 * of lines and of declarations does not matter, nor do comments and imports. Members of a union and entries of a list
 * count by themselves, so that a new status or code only adds something.
 */
export function compareReports(before: ApiReports, after: ApiReports): ApiChanges {
  const previous = linesOf(before);
  const current = linesOf(after);
  return { removed: without(previous, current), added: without(current, previous) };
}

function linesOf(reports: ApiReports): readonly string[] {
  return Object.entries(reports).flatMap(([file, report]) => {
    const code = /^```\w*\n(?<code>[\s\S]*?)^```$/mu.exec(report)?.groups?.code ?? "";
    return code.split(/\n{2,}/u).flatMap((block) => declarationLines(file, block));
  });
}

function declarationLines(file: string, block: string): readonly string[] {
  const lines = block.split("\n").filter((line) => !/^\s*(?:\/\/.*|import .*)?$/u.test(line));
  const name = /\b(?:class|const|contract|function|interface|namespace|type) (\w+)/u.exec(lines[0] ?? "")?.[1] ?? "";
  return lines.flatMap(splitLiterals).map((line) => `${file}: ${name}: ${line}`);
}

function splitLiterals(line: string): readonly string[] {
  const literals = line.match(/"(?:[^"\\]|\\.)*"/gu) ?? [];
  const rest = line
    .trim()
    .replaceAll(/"(?:[^"\\]|\\.)*"/gu, '""')
    .replaceAll(/""(?:(?:, | \| )"")+/gu, '""');
  return literals.length === 0 ? [line.trim()] : [rest, ...literals];
}

function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = counts.get(line) ?? 0;
    counts.set(line, count - 1);
    return count <= 0;
  });
}
