import { sleep, throwIfAborted } from "@crosscall/protocol/core";
import {
  addCampaignItems,
  type CampaignItem,
  closeCampaignListing,
  listWaitingItems,
  openCampaign,
  reopenErrors,
  requeueCampaign,
} from "../localnet/store/campaigns.ts";
import { ChainsNotServedError, workCampaigns, type WorkCampaignsParameters } from "./workCampaigns.ts";
import { type CampaignSummary, summarizeCampaign } from "./campaignResults.ts";
import type { Store } from "../localnet/store/store.ts";

export interface RunCampaignParameters extends Omit<WorkCampaignsParameters, "onNotServed"> {
  /** Id of the campaign. Running a campaign with the same id again continues it. */
  readonly id: string;
  /** Selection of the fills, which cannot change within a campaign. */
  readonly selection: object;
  /** Lists the fills. An interrupted listing starts over. */
  readonly list: (signal: AbortSignal) => AsyncIterable<CampaignItem>;
  readonly retryErrors?: boolean;
  /**
   * Milliseconds to wait for another worker to take a returned fill; 0 if there is no other worker. Use more than
   * 30,000, because a returned fill can take that long to become available again.
   */
  readonly othersWaitMs?: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (summary: CampaignSummary) => void;
}

const WHAT = "the campaign";
const BATCH = 50;
/** Milliseconds between polls. Other processes can also work on the campaign. */
const LOOK_MS = 500;

/**
 * Replays many fills with several workers, each fill once. An interrupted campaign continues when it is run again:
 * finished replays are kept, and all others run again.
 *
 * @returns the results, after every fill has been replayed
 * @throws {@link InvalidStateError} if a campaign of this id has other fills
 * @throws {@link ChainsNotServedError} if no worker has a node for the chains of the remaining fills
 * @throws {@link AbortedError} when the signal fires
 */
export async function runCampaign(parameters: RunCampaignParameters): Promise<CampaignSummary> {
  const { store, id, selection, list, retryErrors = false, othersWaitMs = 0, clock, signal, onProgress } = parameters;
  const { db } = store;
  const { isListed } = await openCampaign(db, { id, selection, createdAt: new Date(clock.now()) });
  if (retryErrors) await reopenErrors(db, id);
  await requeueCampaign(store, id);
  const notServed = new Map<string, ChainsNotServedError>();
  const work = await workCampaigns({
    ...parameters,
    onNotServed: ({ campaignId, itemId }, error) => {
      if (campaignId === id) notServed.set(itemId, error);
    },
  });
  try {
    if (!isListed) {
      for await (const batch of inBatches(list(signal))) {
        throwIfAborted(signal, WHAT);
        await addCampaignItems(store, id, batch);
        onProgress?.(await summarizeCampaign(db, id));
      }
      await closeCampaignListing(db, id, new Date(clock.now()));
    }
    let seen = { waiting: -1, atMs: 0 };
    for (;;) {
      const summary = await summarizeCampaign(db, id);
      onProgress?.(summary);
      const { waiting } = summary;
      if (waiting === 0) return summary;
      const left = notServed.size < waiting ? [] : await listWaitingItems(db, id);
      const errors = left.flatMap((itemId) => notServed.get(itemId) ?? []);
      if (left.length > 0 && errors.length === left.length) {
        // Lets workers with nodes for the remaining chains take the returned fills sooner.
        await work.stop();
        const isOver = waiting === seen.waiting && clock.now() - seen.atMs >= othersWaitMs;
        if (isOver && !(await isUnderWay(store, id, left))) throw joinErrors(errors);
        if (isOver || waiting !== seen.waiting) seen = { waiting, atMs: clock.now() };
      }
      await sleep(LOOK_MS, signal, WHAT);
    }
  } finally {
    await work.stop();
  }
}

async function isUnderWay(
  { replays }: Pick<Store, "replays">,
  campaignId: string,
  items: readonly string[],
): Promise<boolean> {
  const queue = await replays();
  for (const itemId of items) if (await queue.isUnderWay({ campaignId, itemId })) return true;
  return false;
}

function joinErrors(errors: readonly ChainsNotServedError[]): ChainsNotServedError {
  const chainIds = [...new Set(errors.flatMap((error) => error.chainIds))];
  return new ChainsNotServedError({
    chainIds: chainIds.toSorted((one, other) => one - other),
    cause: errors[0]?.cause,
  });
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
