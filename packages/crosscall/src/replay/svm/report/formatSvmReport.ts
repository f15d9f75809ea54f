import { shown } from "../../report/notation.ts";
import { factLines, sectionsText, tableLines } from "../../report/sections.ts";
import type { SvmCall, SvmReport } from "../svmReport.ts";
import {
  describeSvmAccounts,
  describeSvmCall,
  placeOf,
  svmAccountTable,
  svmBalanceTable,
  svmCircumstances,
  svmFailureFacts,
  svmHeadline,
} from "./svmSummary.ts";

/** Maximum number of lines of the logs to print. The JSON has all. */
const SHOWN_LOGS = 200;
const MAX_LINE = 400;

interface Options {
  /** The transaction's role, such as `deposit`. */
  readonly what?: string | undefined;
  readonly chainId?: number | undefined;
}

/**
 * Formats a transaction of an SVM chain as text for a terminal: outcome with cause and hint, instructions with their
 * calls, balances, logs and accounts. Text from chains is escaped.
 */
export function formatSvmReport(report: SvmReport, { what, chainId }: Options = {}): string {
  const { instructions, failure, logs } = report;
  const sections = [
    [svmHeadline(report, what), ...factLines(svmFailureFacts(report))],
    factLines(svmCircumstances(report, chainId)),
    ["Instructions", ...instructions.flatMap((call) => callLines(call, failure?.path))],
    tableLines(svmBalanceTable(report)),
    logLines(logs),
    tableLines(svmAccountTable(report)),
  ];
  return sectionsText(sections);
}

function callLines(call: SvmCall, cause: readonly number[] | undefined): string[] {
  const { path, computeUnits, error, calls } = call;
  const indent = "  ".repeat(path.length);
  const units = computeUnits === undefined ? "" : ` [${computeUnits} units]`;
  const failed = error === undefined ? "" : ` FAILS: ${shown(error, MAX_LINE)}`;
  const mark = String(cause) === String(path) ? "  <-- the cause" : "";
  const accounts = describeSvmAccounts(call);
  return [
    `${indent}${placeOf(path)} ${describeSvmCall(call)}${units}${failed}${mark}`,
    ...(accounts === "" ? [] : [`${indent}  ${accounts}`]),
    ...calls.flatMap((inner) => callLines(inner, cause)),
  ];
}

function logLines(logs: readonly string[]): string[] {
  if (logs.length === 0) return [];
  const lines = logs.slice(0, SHOWN_LOGS).map((line) => `  ${shown(line, MAX_LINE)}`);
  const rest = logs.length - lines.length;
  return ["Logs", ...lines, ...(rest === 0 ? [] : [`  … ${rest} more lines in the JSON`])];
}
