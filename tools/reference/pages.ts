import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Output of a part of `npm run generate`. */
export interface Generated {
  /** Page contents by path in the checkout, such as `docs/api.md`. */
  readonly pages: ReadonlyMap<string, string>;
  /** Problems in the sources. */
  readonly faults?: readonly string[];
}

/** Folders of the site that Git ignores. */
const IGNORED = /^docs\/(?:api|commands)\//u;

/** Mark that separates the text of a page from its generated reference. */
export const GENERATED_MARK = "<!-- Generated from the sources by npm run generate. -->";

/**
 * Writes generated pages.
 *
 * @param isCheck whether to report pages in Git that differ instead of writing
 * @returns the problems
 */
export function writePages(pages: Generated["pages"], isCheck: boolean): readonly string[] {
  const faults: string[] = [];
  for (const [path, text] of pages) {
    if (isCheck) {
      if (!IGNORED.test(path) && readPage(path) !== text) {
        faults.push(`${path} is out of date: run \`npm run generate\``);
      }
    } else if (readPage(path) !== text) {
      mkdirSync(dirname(`${ROOT}${path}`), { recursive: true });
      writeFileSync(`${ROOT}${path}`, text);
    }
  }
  return faults;
}

/** Lists the pages in a folder by path in the checkout. */
export function listPages(folder: string): readonly string[] {
  return readdirSync(`${ROOT}${folder}`)
    .filter((name) => name.endsWith(".md"))
    .toSorted()
    .map((name) => `${folder}/${name}`);
}

export function readPage(path: string): string | undefined {
  try {
    return readFileSync(`${ROOT}${path}`, "utf8");
  } catch {
    return undefined;
  }
}

/** Returns a page with its handwritten text and a new reference after {@link GENERATED_MARK}. */
export function withReference(path: string, reference: string): string {
  const [text = ""] = (readPage(path) ?? "").split(GENERATED_MARK, 1);
  return `${text}${GENERATED_MARK}\n\n${reference}\n`;
}

/** Returns a page in which the new table replaces the table with the same first header cell. */
export function withTable(path: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new RegExp(`^\\| ${head[0]} [^]*?\\n(?=\\n|$(?![^]))`, "mu");
  const page = readPage(path) ?? "";
  if (!table.test(page)) throw new Error(`${path} has no table of ${head[0]}`);
  return page.replace(table, () => `${formatTable(head, rows)}\n`);
}

/** Formats a Markdown table with the same alignment as the code formatter. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const [first = [], ...others] = cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  const lines = [first, widths.map((width) => "-".repeat(width)), ...others];
  return lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
}
