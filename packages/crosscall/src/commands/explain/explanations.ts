import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { ERROR_CODES, InvalidInputError } from "@crosscall/protocol/core";
import { BUILD_ROOT } from "../../artifacts.ts";
import { toJsonLine, writeOutput } from "../../terminal/output.ts";

/** The documentation that the package contains. */
export const DOCS = fileURLToPath(new URL("docs/", BUILD_ROOT));

/** What a page says about a code: a whole page, or the cells of a table's row by the column's title. */
export type Explanation =
  | { readonly page: string; readonly text: string }
  | { readonly page: string; readonly cells: Readonly<Record<string, string>> };

/**
 * Reads the page of an error code, or the rows of tables that begin with the code.
 *
 * @throws {@link InvalidInputError} when no page explains the code
 */
export async function readExplanations(code: string): Promise<readonly Explanation[]> {
  if (Object.hasOwn(ERROR_CODES, code)) {
    const page = `errors/${code}.md`;
    return [{ page, text: plainText(await readFile(join(DOCS, page), "utf8")) }];
  }
  const pages = (await readdir(DOCS)).filter((name) => name.endsWith(".md")).toSorted();
  const found = await Promise.all(
    pages.map(async (page) => rowsOf(await readFile(join(DOCS, page), "utf8"), code).map((cells) => ({ page, cells }))),
  );
  if (found.flat().length > 0) return found.flat();
  throw new InvalidInputError({
    field: "code",
    value: code,
    reason: "no documentation page explains it",
    hint: "Pass the code of an error, a failReason or a finding, in capitals.",
  });
}

export function formatExplanation(explanation: Explanation): string {
  if ("text" in explanation) return explanation.text;
  const lines = Object.entries(explanation.cells).map(([title, cell]) => `${title}: ${cell}`);
  return [...lines, `page: ${explanation.page}`, ""].join("\n");
}

/** Returns the rows whose first cell has the code, by the titles of their table. */
function rowsOf(markdown: string, code: string): Record<string, string>[] {
  const lines = markdown.split("\n").map(readCells);
  return lines.flatMap((cells, index) => {
    if (cells?.[0]?.split(/[`, ]+/u).includes(code) !== true) return [];
    const start = lines.slice(0, index).findLastIndex((line) => line === undefined);
    const titles = lines[start + 1] ?? [];
    return [
      Object.fromEntries(cells.map((cell, column) => [plainText(titles[column] ?? ""), plainText(cell)] as const)),
    ];
  });
}

function readCells(line: string): string[] | undefined {
  if (!line.startsWith("|")) return undefined;
  return line
    .slice(1, line.lastIndexOf("|"))
    .split(/(?<!\\)\|/u)
    .map((cell) => cell.trim());
}

/** Removes comments, and the targets of links, which lead to files that the package may lack. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/<!--.*?-->\n*/gsu, "")
    .replaceAll(/\[([^\]]*)\]\((?!https?:)[^)\s]*\)/gu, "$1")
    .replaceAll("\\|", "|");
}

export async function runExplain(code: string, { json = false }: { readonly json?: boolean }): Promise<void> {
  const explanations = await readExplanations(code);
  writeOutput(json ? toJsonLine({ ok: true, code, explanations }) : explanations.map(formatExplanation).join("\n"));
}
