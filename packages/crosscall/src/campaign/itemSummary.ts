import { CrosscallError } from "@crosscall/protocol/core";
import type { ReplayReport } from "../replay/replayReport.ts";
import { toReportJson } from "../replay/report/toReportJson.ts";
import type { CampaignResult } from "../localnet/store/campaigns.ts";

/** The whole report is stored separately. */
export interface ReplayedSummary {
  readonly chainId: number;
  /** The fill ran on the state after this block; decimal. */
  readonly blockNumber: string;
  /** Delivered amount, smallest unit. */
  readonly amount: string;
  readonly gasUsed: string;
  /** The call of the order that failed, from 0; null if none did. */
  readonly txIndex: number | null;
  /** A sentence; null if the fill works. */
  readonly error: string | null;
  readonly hint: string | null;
  /** Codes of findings besides the verdict. */
  readonly findings: readonly string[];
}

export interface ErrorSummary {
  readonly error: string;
  readonly hint: string | null;
}

export function resultOfReport(report: ReplayReport): CampaignResult {
  const { verdict, plan, blockNumber, amount, gasUsed, findings } = report;
  const failure = verdict.outcome === "failure" ? verdict : undefined;
  const summary: ReplayedSummary = {
    chainId: plan.chainId,
    blockNumber: String(blockNumber),
    amount: String(amount),
    gasUsed: String(gasUsed),
    txIndex: failure?.txIndex ?? null,
    error: failure?.error ?? null,
    hint: failure?.hint ?? null,
    findings: findings.map(({ code }) => code),
  };
  return { outcome: verdict.outcome, cause: failure?.failReason ?? null, summary, report: toReportJson(report) };
}

export function resultOfError(error: unknown): CampaignResult {
  const summary: ErrorSummary = {
    error: error instanceof Error ? error.message : String(error),
    hint: error instanceof CrosscallError ? error.hint : null,
  };
  return {
    outcome: "error",
    cause: error instanceof CrosscallError ? error.code : "UNEXPECTED",
    summary,
    report: null,
  };
}
