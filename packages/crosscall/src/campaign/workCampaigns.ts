import { AbortedError, type Clock, CrosscallError, throwIfAborted, TimedOutError } from "@crosscall/protocol/core";

import type { ReplayReport } from "../replay/replayReport.ts";
import {
  type CampaignItem,
  type CampaignResult,
  findWaitingItem,
  finishCampaignItem,
} from "../localnet/store/campaigns.ts";
import { type CampaignJob, JOB_TIMEOUT_MS } from "../localnet/store/jobs.ts";
import type { Store } from "../localnet/store/store.ts";
import { toReportJson } from "../replay/report/reportJson.ts";

/** Thrown if no worker has an RPC URL for the chains of the remaining fills. */
export class ChainsNotServedError extends CrosscallError {
  readonly code = "CHAINS_NOT_SERVED";
  /** Chain ids in ascending order. */
  readonly chainIds: readonly number[];

  constructor({ chainIds, cause }: { readonly chainIds: readonly number[]; readonly cause?: unknown }) {
    super({
      message: `no worker has an RPC URL for ${chainIds.map((chainId) => `chain ${chainId}`).join(", ")}`,
      hint: `Run it again with ${chainIds.map((chainId) => `--rpc-url ${chainId}=<url>`).join(" ")}: finished replays are kept.`,
      cause,
    });
    this.chainIds = chainIds;
  }
}

/**
 * Replays one fill. Errors are stored as results, unless the signal has fired.
 *
 * @throws {@link ChainsNotServedError} to return the fill to workers that may have a node for its chains
 */
export type ReplayItem = (item: CampaignItem, signal: AbortSignal) => Promise<ReplayReport>;

export interface WorkCampaignsParameters {
  readonly store: Store;
  readonly replay: ReplayItem;
  readonly workers: number;
  readonly clock: Clock;
  /** Called for each returned fill. */
  readonly onNotServed?: (job: CampaignJob, error: ChainsNotServedError) => void;
}

/**
 * Replays each fill of all campaigns once, until `stop` is called. `stop` returns fills in progress to the queue.
 * Several processes can share one PostgreSQL database.
 */
export async function workCampaigns({
  store,
  replay,
  workers,
  clock,
  onNotServed,
}: WorkCampaignsParameters): Promise<{ stop(): Promise<void> }> {
  const queue = await store.replays();
  return queue.work(async (job, signal) => {
    const item = await findWaitingItem(store.db, job);
    if (item === undefined) return;
    // The queue can deliver a job while the worker stops.
    throwIfAborted(signal, `the replay of ${item.id}`);
    const result = await replayOnce(replay, item, signal).catch((error: unknown) => {
      if (error instanceof ChainsNotServedError) onNotServed?.(job, error);
      throw error;
    });
    await finishCampaignItem(store.db, job, result, new Date(clock.now()));
  }, workers);
}

async function replayOnce(replay: ReplayItem, item: CampaignItem, signal: AbortSignal): Promise<CampaignResult> {
  try {
    return resultOfReport(await replay(item, signal));
  } catch (error) {
    if (error instanceof ChainsNotServedError) throw error;
    if (!signal.aborted) return resultOfError(error);
    // This worker is stopping. Another worker takes the fill.
    if (signal.reason instanceof AbortedError) throw error;
    return resultOfError(
      new TimedOutError({
        what: `the replay of ${item.id}`,
        timeoutMs: JOB_TIMEOUT_MS,
        hint: "Replay this fill alone to find where it hangs.",
        cause: error,
      }),
    );
  }
}

/** Summary of a replay. The whole report is stored separately. */
interface ReplayedSummary {
  readonly chainId: number;
  /** Number of the block after which the fill ran, in decimal. */
  readonly blockNumber: string;
  /** Delivered amount in the smallest unit. */
  readonly amount: string;
  readonly gasUsed: string;
  /** Index of the order's call that failed, from 0; null if none failed. */
  readonly txIndex: number | null;
  /** Explanation in a sentence; null if the fill works. */
  readonly error: string | null;
  readonly hint: string | null;
  /** Codes of the findings, in addition to the verdict. */
  readonly findings: readonly string[];
}

interface ErrorSummary {
  readonly error: string;
  readonly hint: string | null;
}

function resultOfReport(report: ReplayReport): CampaignResult {
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

function resultOfError(error: unknown): CampaignResult {
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
