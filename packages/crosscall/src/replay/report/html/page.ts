import type { Fact } from "../summary.ts";
import type { Table } from "../tables.ts";
import { type Content, markup, Markup } from "./markup.ts";

interface HtmlPage {
  readonly headline: string;
  readonly isGood: boolean;
  /** Below the headline. */
  readonly summary: Content;
  readonly content: Content;
}

/** Formats a self-contained page. Its content security policy blocks network requests, scripts and fonts. */
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

export const STYLE = new Markup(`
:root { color-scheme: light dark; --ink: light-dark(#161b26, #e7e9ee); --paper: light-dark(#fff, #12161e);
  --line: light-dark(#dfe3ea, #2b3240); --soft: light-dark(#f4f6f9, #1a202b); --quiet: light-dark(#566072, #9ba6b8);
  --good: light-dark(#0b6b37, #5fd791); --bad: light-dark(#a8231a, #ff938a); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 90rem; color: var(--ink); background: var(--paper);
  font: 0.95rem/1.5 system-ui, sans-serif; }
h1 { margin: 0 0 0.5rem; font-size: 1.5rem; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.15rem; border-bottom: 1px solid var(--line); }
code, .mono, td, .tree { font-family: ui-monospace, monospace; font-size: 0.85rem; overflow-wrap: anywhere; }
.verdict { padding: 1rem; border: 2px solid; border-left-width: 0.75rem; border-radius: 0.25rem; }
.verdict.works { border-color: var(--good); }
.verdict.fails { border-color: var(--bad); border-left-style: double; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1rem; margin: 0.5rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; }
caption { text-align: left; font-weight: 600; padding: 0.75rem 0 0.25rem; }
th, td { padding: 0.2rem 0.75rem 0.2rem 0; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.tree ul { list-style: none; margin: 0; padding-left: 1.25rem; border-left: 1px dotted var(--line); }
.tree > ul { padding-left: 0; border: 0; }
.tree summary { cursor: pointer; }
.tree .leaf { padding-left: 1.05rem; }
.quiet { color: var(--quiet); }
.badge { border: 1px solid; border-radius: 0.2rem; padding: 0 0.3rem; }
.error { color: var(--bad); font-weight: 600; }
.cause { outline: 2px solid var(--bad); outline-offset: 2px; background: var(--soft); }
svg { display: block; max-width: none; font: 12px ui-monospace, monospace; color: var(--ink); }
svg text { fill: currentColor; }
svg .quiet { fill: var(--quiet); }
@media print {
  body { padding: 0; max-width: none; }
  .scroll { overflow: visible; }
  svg { max-width: 100%; height: auto; }
  details::details-content { content-visibility: visible; display: block; }
  h2, tr, svg { break-inside: avoid; }
}
`);
