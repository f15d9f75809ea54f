import type { Command } from "commander";

import { openStore, type Store } from "../../../src/store/store.ts";
import { databaseOf, type DatabaseOptions } from "../../options/databaseOptions.ts";

/** Where campaigns are kept, unless told otherwise. */
const CAMPAIGN_FOLDER = ".crosscall/campaigns";

/**
 * Opens the database of campaigns, does something with it, and closes it.
 *
 * @throws {@link InvalidStateError} {@link DatabaseError} when it cannot be used
 */
export async function withCampaignStore<Result>(
  options: DatabaseOptions,
  command: Command,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const place = databaseOf(options, command) ?? { folder: CAMPAIGN_FOLDER };
  const store = await openStore({
    ...place,
    // The queue tries again by itself.
    onError: (error) => process.stderr.write(`the job queue: ${error.message}\n`),
  });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
