import type { Fact } from "../summary.ts";
import type { Table } from "../tables.ts";
import { type Content, markup, type Markup } from "./markup.ts";
import { STYLE } from "./style.ts";

export interface HtmlPage {
  readonly headline: string;
  readonly isGood: boolean;
  /** Below the headline. */
  readonly summary: Content;
  readonly content: Content;
}

/** A self-contained page: its content security policy permits no network, script or font. */
export function htmlPage({ headline, isGood, summary, content }: HtmlPage): string {
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${headline}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<section class="verdict ${isGood ? "works" : "fails"}"><h1>${isGood ? "✓" : "✗"} ${headline}</h1>
${summary}</section>
${content}
</main>
</body>
</html>
`;
  return page.text;
}

export function section(title: string, content: Content): Markup {
  return markup`<section><h2>${title}</h2>\n${content}</section>\n`;
}

export function facts(list: readonly Fact[]): Markup {
  if (list.length === 0) return markup``;
  return markup`<dl>${list.map(({ label, text }) => markup`<dt>${label}</dt><dd>${text}</dd>\n`)}</dl>`;
}

export function toHtmlTable({ title, columns, rows }: Table): Markup {
  if (rows.length === 0) return markup``;
  return markup`<div class="scroll" tabindex="0"><table><caption>${title}</caption>
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
