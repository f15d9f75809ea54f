import { sleep, throwIfAborted } from "@crosscall/sdk/internal/core/abort";
import type { Store } from "../store/store.ts";
import {
  addCampaignItems,
  type CampaignItem,
  closeCampaignListing,
  listWaitingItems,
  openCampaign,
  reopenErrors,
  requeueCampaign,
} from "../store/campaigns.ts";
import { ChainsNotServedError } from "./chainsNotServedError.ts";
import { type CampaignSummary, summarizeCampaign } from "./summarizeCampaign.ts";
import { workCampaigns, type WorkCampaignsParameters } from "./workCampaigns.ts";

/** What {@link runCampaign} takes. */
export interface RunCampaignParameters extends Omit<WorkCampaignsParameters, "onNotServed"> {
  /** Names the campaign: whoever gives the same goes on with it. */
  readonly id: string;
  /** How its fills were chosen; a campaign keeps to it. */
  readonly selection: object;
  /** Lists the fills. It is read anew where it was not read to its end. */
  readonly list: (signal: AbortSignal) => AsyncIterable<CampaignItem>;
  /** Whether what could not be replayed before is tried again. */
  readonly retryErrors?: boolean;
  /**
   * How long fills that are given back here wait for another worker to take one of them, in milliseconds; where there
   * can be no other, not at all. More than half a minute, since a fill may come back that late.
   */
  readonly othersWaitMs?: number;
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
 * @throws {@link ChainsNotServedError} when all that is left is of chains that nobody has a node of
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
        // Whoever has their chains gets them sooner when they are not given back again here.
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

/** Whether some worker is at one of these fills. */
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
