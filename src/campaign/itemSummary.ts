import { CrosscallError } from "@crosscall/sdk/internal/core/errors";
import type { ReplayReport } from "../replay/replayReport.ts";
import { toReportJson } from "../replay/report/toReportJson.ts";
import type { CampaignResult } from "../store/campaigns.ts";

/** What a campaign tells of each fill that it replayed; the whole report is kept beside it. */
export interface ReplayedSummary {
  readonly chainId: number;
  /** The state it ran on: after this block. Decimal. */
  readonly blockNumber: string;
  /** Delivered, smallest unit. */
  readonly amount: string;
  readonly gasUsed: string;
  /** The order's call that failed, from 0; null where none did. */
  readonly txIndex: number | null;
  /** The error in words; null where the fill works. */
  readonly error: string | null;
  readonly hint: string | null;
  /** Codes of what was found beside the verdict. */
  readonly findings: readonly string[];
}

/** What a campaign tells of each fill that it could not replay. */
export interface ErrorSummary {
  readonly error: string;
  readonly hint: string | null;
}

/** A replay as a campaign keeps it. */
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

/** A fill that could not be replayed as a campaign keeps it. */
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
