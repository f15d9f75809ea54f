import { zeroAddress } from "viem";

import type { ReplayDiff } from "../diffReplays.ts";
import type { ReplayFinding, ReplayReport, TraceNode } from "../replayReport.ts";
import {
  envelopeFacts,
  circumstances,
  failureFacts,
  headlineOf,
  describeCall,
  describeLog,
  stepsOf,
} from "./summary.ts";
import { formatDiff } from "./formatDiff.ts";
import { envelopePlots } from "./html/envelopePlot.ts";
import { fundsFlow } from "./html/fundsFlow.ts";
import { type Content, markup, type Markup } from "./html/markup.ts";
import { facts, htmlPage, section, toHtmlTable } from "./html/page.ts";
import { type Notation, notationOf } from "./notation.ts";
import { accountTable, allowanceTable, balanceTable, pointTable, rangeTable, transferTable } from "./tables.ts";

/**
 * Formats a replay as a self-contained HTML file. Its content security policy blocks network requests, scripts and
 * fonts. Text from chains and services is escaped.
 *
 * @param diff differences from another replay to show
 */
export function toReportHtml(report: ReplayReport, diff?: ReplayDiff): string {
  const compared = diff && section("Compared", markup`<pre class="scroll mono">${formatDiff(diff, report)}</pre>`);
  return htmlPage({
    headline: headlineOf(report),
    isGood: report.verdict.outcome === "success",
    summary: facts(failureFacts(report, notationOf(report))),
    content: reportSections(report, compared),
  });
}

/**
 * Formats the block, findings, funds flow, calls, changes, envelope and accounts of a replay.
 *
 * @param addition section before the accounts
 */
export function reportSections(report: ReplayReport, addition?: Markup): Markup {
  const notation = notationOf(report);
  const { envelope, plan, findings } = report;
  return markup`${facts(circumstances(report, notation))}
${findings.length === 0 ? "" : section("Findings", findingList(findings, notation))}
${section("Funds flow", [fundsFlow(report, notation), toHtmlTable(transferTable(report, notation))])}
${section("Calls", callTree(report, notation))}
${section("What changes", changes(report, notation))}
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
${addition}
${section("Accounts", toHtmlTable({ ...accountTable(notation), title: "Names in this report" }))}`;
}

function changes(report: ReplayReport, notation: Notation): Content {
  if (report.balances.length === 0 && report.allowances.length === 0) {
    return markup`<p>No balance and no allowance changes.</p>`;
  }
  return [toHtmlTable(balanceTable(report, notation)), toHtmlTable(allowanceTable(report, notation))];
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

const OPEN_DEPTH = 2;

function callTree({ trace, verdict }: ReplayReport, notation: Notation): Markup {
  const cause = verdict.outcome === "failure" ? verdict.path : undefined;
  return markup`<div class="tree"><ul>${item(trace, [], { notation, cause })}</ul></div>`;
}

interface Tree {
  readonly notation: Notation;
  readonly cause: readonly number[] | undefined;
}

function item(node: TraceNode, path: readonly number[], tree: Tree): Markup {
  const { notation, cause } = tree;
  const isOnWay = cause !== undefined && path.every((index, depth) => cause[depth] === index);
  const isCause = isOnWay && cause.length === path.length;
  const line = markup`<span${isCause ? markup` class="cause"` : ""}>${describe(node, notation)}${
    isCause ? markup` <span class="badge error">the cause</span>` : ""
  }</span>`;
  const steps = stepsOf(node);
  if (steps.length === 0) return markup`<li class="leaf">${line}</li>\n`;
  const inner = steps.map((step) =>
    step.kind === "call"
      ? item(step.node, [...path, step.index], tree)
      : markup`<li class="leaf quiet">emits ${describeLog(step.log, notation)}</li>\n`,
  );
  const open = isOnWay || path.length < OPEN_DEPTH ? markup` open` : "";
  return markup`<li><details${open}><summary>${line}</summary><ul>${inner}</ul></details></li>\n`;
}

function describe(node: TraceNode, notation: Notation): Markup {
  const { frame, result, error, isSwallowed, txIndex } = node;
  return markup`${txIndex === undefined ? "" : markup`<span class="badge">txs[${txIndex}]</span> `}${
    frame.kind === "CALL" ? "" : markup`<span class="badge">${frame.kind.toLowerCase()}</span> `
  }${describeCall(node, notation)}${frame.value === 0n ? "" : ` with ${notation.amountOf(frame.value, zeroAddress)}`}${
    result === undefined ? "" : ` → ${notation.textOf(result)}`
  } <span class="quiet">${frame.gasUsed} gas</span>${
    error === undefined
      ? ""
      : markup` <span class="error">✗ ${notation.textOf(error)}${isSwallowed ? " (the fill continues)" : ""}</span>`
  }`;
}
