import { markup, type Markup } from "../../report/html/markup.ts";
import { facts, htmlPage, section, toHtmlTable } from "../../report/html/page.ts";
import { notationOf, shown } from "../../report/notation.ts";
import { failureFacts, headlineOf as headlineOfFill } from "../../report/summary.ts";
import { reportSections } from "../../report/toReportHtml.ts";
import { quoteNotation, type QuoteNotationParameters } from "../../report/quoteNotation.ts";
import type { Table } from "../../report/tables.ts";
import type { ReplayReport } from "../../replayReport.ts";
import type { QuoteReport } from "@crosscall/sdk/verify";
import type { PreflightFinding, PreflightReport } from "../preflightReport.ts";
import { headlineOf, legFacts, changeTables, itemTable } from "./formatPreflight.ts";

/** Formats a self-contained page with verdict, findings, steps, changes on the origin chain, and the fill. */
export function toPreflightHtml(report: PreflightReport, terms: QuoteNotationParameters): string {
  return htmlPage({
    headline: headlineOf(report),
    isGood: report.verdict === "passed",
    summary: facts(legFacts(report)),
    content: preflightSections(report, terms),
  });
}

/** Formats findings, steps, claims and both fills of a preflight. */
export function preflightSections(
  { findings, destination, quote, origin }: PreflightReport,
  terms: QuoteNotationParameters,
): Markup {
  return markup`${findings.length === 0 ? "" : section("Findings", findingList(findings))}
${section("Steps", [toHtmlTable(itemTable(quote, terms)), ...changeTables({ origin }, terms).map(toHtmlTable)])}
${section("Claims", toHtmlTable(claimTable(quote, terms)))}
${
  destination === undefined
    ? ""
    : [
        fillSection("The fill with the expected amount", destination.expected),
        fillSection("The fill with the minimum amount", destination.minimum),
      ]
}`;
}

function fillSection(title: string, report: ReplayReport): Markup {
  const headline = headlineOfFill(report);
  return section(title, [
    markup`<p><strong>${headline}</strong></p>`,
    facts(failureFacts(report, notationOf(report))),
    reportSections(report),
  ]);
}

function findingList(findings: readonly PreflightFinding[]): Markup {
  return markup`<ul>${findings.map(
    ({ code, severity, leg, reason, hint, logs = [] }) =>
      markup`<li><strong>${severity} ${code}</strong> (${leg}): ${shown(reason)}<br>${shown(hint)}${logs.map(
        (line) => markup`<br><code>${shown(line)}</code>`,
      )}</li>\n`,
  )}</ul>`;
}

/** Lists the claims of a quote: requirements from the request and the pinned addresses. */
export function claimTable(quote: Pick<QuoteReport, "claims">, terms: QuoteNotationParameters): Table {
  const notation = quoteNotation(terms);
  return {
    title: "Requirements from the request and the pinned addresses",
    columns: [{ title: "claim" }, { title: "path" }, { title: "met" }, { title: "expected" }, { title: "seen" }],
    rows: quote.claims.map((claim) => [
      claim.code,
      shown(claim.path),
      claim.isMet ? "yes" : "no",
      notation.claimValue(claim, claim.expected),
      notation.claimValue(claim, claim.seen),
    ]),
  };
}
