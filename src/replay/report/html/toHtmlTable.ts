import type { Table } from "../tables.ts";
import { type Markup, markup } from "./markup.ts";

/** A table of a report as HTML; nothing where it has no rows. */
export function toHtmlTable({ title, columns, rows }: Table): Markup {
  if (rows.length === 0) return markup``;
  return markup`<div class="scroll"><table><caption>${title}</caption>
<thead><tr>${columns.map((column) => markup`<th scope="col"${numberClass(column.isNumber)}>${column.title}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) =>
      markup`<tr>${row.map((cell, index) => markup`<td${numberClass(columns[index]?.isNumber)}>${cell}</td>`)}</tr>\n`,
  )}</tbody></table></div>
`;
}

function numberClass(isNumber: boolean | undefined): Markup {
  return isNumber === true ? markup` class="number"` : markup``;
}
