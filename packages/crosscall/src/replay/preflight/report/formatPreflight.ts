import { chainFamilyOf } from "@crosscall/protocol/chains";
import { compact, sarifLog } from "@crosscall/protocol/core";
import { formatEffect, QUOTE_CLAIMS } from "@crosscall/sdk/kit";
import type { QuoteReport } from "@crosscall/sdk/verify";

import { envelopeFacts, type Fact } from "../../report/summary.ts";
import { toColumns, allowanceTable, balanceTable, type Table } from "../../report/tables.ts";
import { notationOf, shown } from "../../report/notation.ts";
import { chainNotation, quoteNotation, type QuoteNotationParameters } from "../../report/quoteNotation.ts";
import { REPLAY_FINDINGS } from "../../replayReport.ts";
import { PREFLIGHT_FINDINGS, type PreflightFinding, type PreflightReport } from "../preflightReport.ts";

export function headlineOf({ verdict, findings }: PreflightReport): string {
  if (verdict === "failed") return "The preflight fails. Do not sign any step of this quote.";
  const open = findings.some(({ code }) => code === "NOT_SIMULATED");
  return open ? "The preflight passes, but a part was not simulated." : "The preflight passes.";
}

/** Lists the simulated legs, one per line. */
export function legFacts({ requestId, quote, origin, destination }: PreflightReport): Fact[] {
  const met = quote.claims.filter(({ isMet }) => isMet).length;
  const facts = [
    { label: "request", text: shown(requestId) },
    { label: "quote", text: `${quote.verdict}, ${met} of ${quote.claims.length} claims met` },
  ];
  if (origin !== undefined) {
    const { chainId, blockNumber, gasUsed } = origin;
    const [block, gas] = chainFamilyOf(chainId).name === "svm" ? ["slot", "compute units"] : ["block", "gas"];
    facts.push({ label: "origin", text: `chain ${chainId} after ${block} ${blockNumber}, ${gasUsed} ${gas}` });
  }
  if (destination !== undefined) {
    const { plan, blockNumber, gasUsed, envelope } = destination.expected;
    const text = `chain ${plan.chainId} after block ${blockNumber}, ${gasUsed} gas with the expected amount`;
    facts.push({ label: "destination", text });
    if (envelope !== undefined) {
      facts.push(...envelopeFacts(envelope, plan, notationOf(destination.expected)));
    }
  }
  return facts;
}

/** Formats verdict, findings, steps and changes for a terminal. Escapes text from chains and services. */
export function formatPreflight(report: PreflightReport, terms: QuoteNotationParameters): string {
  const facts = legFacts(report);
  const width = Math.max(...facts.map(({ label }) => label.length));
  const tables = [itemTable(report.quote, terms), ...changeTables(report, terms)];
  return [
    [headlineOf(report), ...facts.map(({ label, text }) => `  ${label.padEnd(width)}  ${text}`)],
    report.findings.flatMap(toLines),
    ...tables.map(({ title, columns, rows }) =>
      rows.length === 0 ? [] : [title, ...toColumns(columns, rows).map((line) => `  ${line}`)],
    ),
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function toLines({ severity, leg, code, reason, hint, logs = [] }: PreflightFinding): string[] {
  return [
    `${severity} ${code} (${leg}): ${shown(reason)}`,
    `  ${shown(hint)}`,
    ...logs.map((line) => `    ${shown(line)}`),
  ];
}

/** Returns errors, warnings and notes as SARIF results in the quote's file. */
export function preflightToSarif({ findings }: PreflightReport, quoteFile?: string): object {
  const meanings: Readonly<Record<string, string>> = { ...QUOTE_CLAIMS, ...REPLAY_FINDINGS, ...PREFLIGHT_FINDINGS };
  const rules = Object.entries(meanings).map(([id, text]) => ({ id, text }));
  return sarifLog(
    "crosscall",
    rules,
    findings.map(({ code, severity, reason, hint, leg }) =>
      compact({ ruleId: code, level: severity, text: `${reason}. ${hint}`, name: leg, file: quoteFile }),
    ),
  );
}

/** Lists the effect of each step of the quote. */
export function itemTable({ items }: Pick<QuoteReport, "items">, terms: QuoteNotationParameters): Table {
  const notation = quoteNotation(terms);
  return {
    title: "Steps",
    columns: [{ title: "step" }, { title: "verdict" }, { title: "effect" }],
    rows: items.map((item) => [item.path, item.verdict, formatEffect(item, notation)]),
  };
}

/** Lists the balances and allowances that the steps change on the origin chain. */
export function changeTables({ origin }: Pick<PreflightReport, "origin">, terms: QuoteNotationParameters): Table[] {
  if (origin === undefined) return [];
  const notation = chainNotation(terms, origin.chainId);
  return [
    { ...balanceTable(origin, notation), title: "Balances on the origin chain" },
    { ...allowanceTable(origin, notation), title: "Allowances on the origin chain" },
  ];
}
