import { sleep, throwIfAborted } from "../core/abort.ts";
import {
  addCampaignItems,
  type CampaignItem,
  closeCampaignListing,
  openCampaign,
  reopenErrors,
  requeueCampaign,
} from "../store/campaigns.ts";
import { type CampaignSummary, summarizeCampaign } from "./summarizeCampaign.ts";
import { workCampaigns, type WorkCampaignsParameters } from "./workCampaigns.ts";

/** What {@link runCampaign} takes. */
export interface RunCampaignParameters extends WorkCampaignsParameters {
  /** Names the campaign: whoever gives the same goes on with it. */
  readonly id: string;
  /** How its fills were chosen; a campaign keeps to it. */
  readonly selection: object;
  /** Lists the fills. It is read anew where it was not read to its end. */
  readonly list: (signal: AbortSignal) => AsyncIterable<CampaignItem>;
  /** Whether what could not be replayed before is tried again. */
  readonly retryErrors?: boolean;
  readonly signal: AbortSignal;
  readonly onProgress?: (summary: CampaignSummary) => void;
}

const WHAT = "the campaign";
/** As many fills are added to a campaign at once. */
const BATCH = 50;
/** How often it is looked at, since other processes may work on it, too. */
const LOOK_MS = 500;

/**
 * Replays many fills with several workers, each fill once. It may end at any moment, by the signal or by a crash, and
 * goes on where it stood when it is run again: what was replayed stays, what was under way is replayed anew.
 *
 * @returns what came out, when every fill was replayed
 * @throws {@link InvalidStateError} when there is a campaign of this name over other fills
 * @throws {@link AbortedError} when the signal fires
 */
export async function runCampaign(parameters: RunCampaignParameters): Promise<CampaignSummary> {
  const { store, id, selection, list, retryErrors = false, clock, signal, onProgress } = parameters;
  const { db } = store;
  const { isListed } = await openCampaign(db, { id, selection, createdAt: new Date(clock.now()) });
  if (retryErrors) await reopenErrors(db, id);
  await requeueCampaign(store, id);
  const work = await workCampaigns(parameters);
  try {
    if (!isListed) {
      for await (const batch of inBatches(list(signal))) {
        throwIfAborted(signal, WHAT);
        await addCampaignItems(store, id, batch);
        onProgress?.(await summarizeCampaign(db, id));
      }
      await closeCampaignListing(db, id, new Date(clock.now()));
    }
    for (;;) {
      const summary = await summarizeCampaign(db, id);
      onProgress?.(summary);
      if (summary.waiting === 0) return summary;
      await sleep(LOOK_MS, signal, WHAT);
    }
  } finally {
    await work.stop();
  }
}

async function* inBatches<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
