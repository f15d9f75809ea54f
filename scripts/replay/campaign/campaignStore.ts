import type { Command } from "commander";

import { openStore, type Store } from "../../../src/store/store.ts";
import { databaseOf, type DatabaseOptions, type DatabasePlace } from "../../options/databaseOptions.ts";

/** Where campaigns are kept, unless told otherwise. */
const CAMPAIGN_FOLDER = ".crosscall/campaigns";

/**
 * Where the campaigns are.
 *
 * @throws {@link InvalidInputError} when two places are named
 */
export function campaignPlace(options: DatabaseOptions, command: Command): DatabasePlace {
  return databaseOf(options, command) ?? { folder: CAMPAIGN_FOLDER };
}

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
  const store = await openStore({
    ...campaignPlace(options, command),
    // The queue tries again by itself.
    onError: (error) => process.stderr.write(`the job queue: ${error.message}\n`),
  });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
