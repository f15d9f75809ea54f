import type { ReplayDiff } from "../diff/diffReplays.ts";
import type { ReplayFinding } from "../finding.ts";
import type { ReplayReport } from "../replayReport.ts";
import { envelopeFacts } from "./envelopeFacts.ts";
import { formatDiff } from "./formatDiff.ts";
import { callTree } from "./html/callTree.ts";
import { envelopePlots } from "./html/envelopePlot.ts";
import { fundsFlow } from "./html/fundsFlow.ts";
import { type Content, markup, type Markup } from "./html/markup.ts";
import { STYLE } from "./html/style.ts";
import { type Notation, notationOf } from "./notation.ts";
import { circumstances, type Fact, failureFacts, headlineOf } from "./summary.ts";
import {
  accountTable,
  allowanceTable,
  balanceTable,
  pointTable,
  rangeTable,
  type Table,
  transferTable,
} from "./tables.ts";

/**
 * Formats a replay as a self-contained HTML file: no network, script or font, enforced by its content security policy.
 * Text from chains and services is escaped.
 *
 * @param diff differences to another replay, shown next to it
 */
export function toReportHtml(report: ReplayReport, diff?: ReplayDiff): string {
  const notation = notationOf(report);
  const { envelope, plan, findings, verdict } = report;
  const headline = headlineOf(report);
  const works = verdict.outcome === "success";
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
<section class="verdict ${works ? "works" : "fails"}"><h1>${works ? "✓" : "✗"} ${headline}</h1>
${facts(failureFacts(report, notation))}</section>
${facts(circumstances(report, notation))}
${findings.length === 0 ? "" : section("Findings", findingList(findings, notation))}
${section("Funds flow", [fundsFlow(report, notation), toHtmlTable(transferTable(report, notation))])}
${section("Calls", callTree(report, notation))}
${section("What changes", [toHtmlTable(balanceTable(report, notation)), toHtmlTable(allowanceTable(report, notation))])}
${
  envelope === undefined
    ? ""
    : section("Envelope", [
        facts(envelopeFacts(envelope, plan, notation)),
        envelopePlots(envelope, plan, notation),
        toHtmlTable(rangeTable(envelope, plan, notation)),
        toHtmlTable(pointTable(envelope, envelope.points, plan, notation)),
      ])
}
${diff === undefined ? "" : section("Compared", markup`<pre class="scroll mono">${formatDiff(diff, report)}</pre>`)}
${section("Accounts", toHtmlTable(accountTable(notation)))}
</main>
</body>
</html>
`;
  return page.text;
}

function section(title: string, content: Content): Markup {
  return markup`<section><h2>${title}</h2>\n${content}</section>\n`;
}

function facts(list: readonly Fact[]): Markup {
  if (list.length === 0) return markup``;
  return markup`<dl>${list.map(({ label, text }) => markup`<dt>${label}</dt><dd>${text}</dd>\n`)}</dl>`;
}

function findingList(findings: readonly ReplayFinding[], notation: Notation): Markup {
  return markup`<ul>${findings.map(
    ({ code, severity, txIndex, reason, hint, left }) =>
      markup`<li><strong>${severity} ${code}</strong>${txIndex === undefined ? "" : ` txs[${txIndex}]`}: ${notation.textOf(reason)}${
        left === undefined
          ? ""
          : ` (${notation.amountOf(left.amount, left.currency)} of ${notation.nameOf(left.account)})`
      }<br>${notation.textOf(hint)}</li>\n`,
  )}</ul>`;
}

function toHtmlTable({ title, columns, rows }: Table): Markup {
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
