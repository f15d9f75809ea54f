import type { Fact } from "./summary.ts";
import { type Table, toColumns } from "./tables.ts";

// Sections of a report for a terminal.

/** Joins sections, except empty ones. */
export function sectionsText(sections: readonly (readonly string[])[]): string {
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

export function factLines(facts: readonly Fact[]): string[] {
  const width = Math.max(0, ...facts.map(({ label }) => label.length));
  return facts.map(({ label, text }) => `  ${label.padEnd(width)}  ${text}`);
}

/** Formats a table with its title. Returns nothing for one without rows. */
export function tableLines(table: Table): string[] {
  return table.rows.length === 0
    ? []
    : [table.title, ...toColumns(table.columns, table.rows).map((line) => `  ${line}`)];
}
