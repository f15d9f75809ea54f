import { AbortedError, type Clock, throwIfAborted, TimedOutError } from "@crosscall/protocol/core";
import type { ReplayReport } from "../replay/replayReport.ts";
import {
  type CampaignItem,
  type CampaignResult,
  findWaitingItem,
  finishCampaignItem,
} from "../localnet/store/campaigns.ts";
import { type CampaignJob, JOB_TIMEOUT_MS } from "../localnet/store/jobs.ts";
import type { Store } from "../localnet/store/store.ts";
import { ChainsNotServedError } from "./chainsNotServedError.ts";
import { resultOfError, resultOfReport } from "./itemSummary.ts";

/**
 * Errors are stored as results, unless the signal fired.
 *
 * @throws {@link ChainsNotServedError} returns the fill, since another worker may have a node of its chain
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
 * Replays fills of all campaigns, each once, until `stop`, which returns those in progress. Any number of processes may
 * do so on one PostgreSQL database.
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
    // A job may be delivered while the worker stops.
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
    // The worker stops; another one takes the fill.
    if (signal.reason instanceof AbortedError) throw error;
    return resultOfError(
      new TimedOutError({
        what: `the replay of ${item.id}`,
        timeoutMs: JOB_TIMEOUT_MS,
        hint: "Replay this fill alone to see where it hangs.",
        cause: error,
      }),
    );
  }
}
