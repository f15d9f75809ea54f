import { shown } from "../../report/notation.ts";
import { markup, type Markup } from "../../report/html/markup.ts";
import { facts, htmlPage, section, toHtmlTable } from "../../report/html/page.ts";
import type { SvmCall, SvmReport } from "../svmReport.ts";
import {
  describeSvmCall,
  placeOf,
  svmAccountTable,
  svmBalanceTable,
  svmCircumstances,
  svmFailureFacts,
  svmHeadline,
} from "./svmSummary.ts";

const MAX_LINE = 2_000;

/** A report with the transaction's role. */
export interface ShownSvmReport {
  /** Such as `deposit`. */
  readonly what?: string | undefined;
  readonly chainId?: number | undefined;
  readonly report: SvmReport;
}

/** Formats the outcome, with the cause of a failure, in a box. */
export function svmVerdict({ report, what }: ShownSvmReport): Markup {
  const isGood = report.failure === undefined;
  return markup`<div class="verdict ${isGood ? "works" : "fails"}"><p><strong>${isGood ? "✓" : "✗"} ${svmHeadline(report, what)}</strong></p>
${facts(svmFailureFacts(report))}</div>`;
}

/** Formats slot and fee, instructions with their calls, balances, logs and accounts. Text from chains is escaped. */
export function svmReportSections({ report, chainId }: ShownSvmReport): Markup {
  const { instructions, failure, logs, balances } = report;
  return markup`${facts(svmCircumstances(report, chainId))}
${section("Instructions", markup`<div class="tree"><ul>${instructions.map((call) => callItem(call, failure?.path))}</ul></div>`)}
${section("What changes", balances.length === 0 ? markup`<p>${report.source.kind === "simulation" ? "The node does not report the balances of a simulation." : "No balance changes."}</p>` : toHtmlTable(svmBalanceTable(report)))}
${section("Logs", logs.length === 0 ? markup`<p>None.</p>` : markup`<pre class="scroll mono" tabindex="0">${logs.map((line) => `${shown(line, MAX_LINE)}\n`)}</pre>`)}
${section("Accounts", toHtmlTable({ ...svmAccountTable(report), title: "Accounts of the transaction" }))}`;
}

/** Formats reports as a self-contained HTML file, without scripts and without requests to the network. */
export function toSvmHtml(reports: readonly ShownSvmReport[]): string {
  const [main] = reports.filter(({ report }) => report.failure !== undefined).concat(reports);
  return htmlPage({
    headline: main === undefined ? "" : svmHeadline(main.report, main.what),
    isGood: main?.report.failure === undefined,
    summary: main === undefined ? "" : facts(svmFailureFacts(main.report)),
    content: reports.map((each) =>
      reports.length === 1
        ? svmReportSections(each)
        : section(svmHeadline(each.report, each.what), svmReportSections(each)),
    ),
  });
}

function callItem(call: SvmCall, cause: readonly number[] | undefined): Markup {
  const { path, computeUnits, error, accounts, calls } = call;
  const isCause = String(cause) === String(path);
  const line = markup`<span${isCause ? markup` class="cause"` : ""}><span class="badge">${placeOf(path)}</span> ${describeSvmCall(call)}${
    computeUnits === undefined ? "" : markup` <span class="quiet">${computeUnits} units</span>`
  }${error === undefined ? "" : markup` <span class="error">✗ ${shown(error, MAX_LINE)}</span>`}${
    isCause ? markup` <span class="badge error">the cause</span>` : ""
  }</span>`;
  const inner = [
    ...accounts.map(
      ({ name, address }) =>
        markup`<li class="leaf quiet">${name === undefined ? "" : `${name}: `}<code>${address}</code></li>\n`,
    ),
    ...calls.map((each) => callItem(each, cause)),
  ];
  if (inner.length === 0) return markup`<li class="leaf">${line}</li>\n`;
  return markup`<li><details open><summary>${line}</summary><ul>${inner}</ul></details></li>\n`;
}
