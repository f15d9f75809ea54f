import { type FinishedItem, listFinishedItems } from "../localnet/store/campaigns.ts";
import type { Database } from "../localnet/store/store.ts";

export async function* eachFinishedItem(db: Database, campaignId: string): AsyncGenerator<FinishedItem> {
  let page = await listFinishedItems(db, campaignId);
  while (page.length > 0) {
    yield* page;
    page = await listFinishedItems(db, campaignId, { after: page.at(-1)?.id ?? "" });
  }
}
