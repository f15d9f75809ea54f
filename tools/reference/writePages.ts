import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Pages by their path in the checkout, such as `docs/api.md`. */
export type Pages = ReadonlyMap<string, string>;

/**
 * Writes generated pages. With `--check` on the command line, it writes nothing and reports pages that differ.
 *
 * @param folder in which each page must be generated
 * @returns what is wrong
 */
export function writePages(pages: Pages, folder?: string): readonly string[] {
  const stale = folder === undefined ? [] : listPages(folder).filter((path) => !pages.has(path));
  const faults = stale.map((path) => `${path} is not generated: delete it`);
  for (const [path, text] of pages) {
    if (readPage(path) === text) continue;
    if (process.argv.includes("--check")) {
      faults.push(`${path} is out of date: run \`npm run generate\``);
    } else {
      mkdirSync(dirname(`${ROOT}${path}`), { recursive: true });
      writeFileSync(`${ROOT}${path}`, text);
    }
  }
  return faults;
}

/** Fails the script if there are faults. */
export function report(faults: readonly string[]): void {
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}

export function listPages(folder: string): readonly string[] {
  try {
    return readdirSync(`${ROOT}${folder}`)
      .filter((name) => name.endsWith(".md"))
      .toSorted()
      .map((name) => `${folder}/${name}`);
  } catch {
    return [];
  }
}

export function readPage(path: string): string | undefined {
  try {
    return readFileSync(`${ROOT}${path}`, "utf8");
  } catch {
    return undefined;
  }
}

/** A Markdown table, aligned as the formatter aligns it. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const [first = [], ...others] = cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  const lines = [first, widths.map((width) => "-".repeat(width)), ...others];
  return lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
}
