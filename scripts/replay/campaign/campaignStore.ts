import { openStore, type Store } from "../../../src/store/store.ts";
import type { Command } from "../../options/command.ts";
import { databaseOf, type DatabaseOptions, type DatabasePlace } from "../../options/databaseOptions.ts";

const CAMPAIGN_FOLDER = ".crosscall/campaigns";

export function campaignPlace(options: DatabaseOptions, command: Command): DatabasePlace {
  return databaseOf(options, command) ?? { folder: CAMPAIGN_FOLDER };
}

export async function withCampaignStore<Result>(
  options: DatabaseOptions,
  command: Command,
  use: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore({
    ...campaignPlace(options, command),
    // The queue retries by itself.
    onError: (error) => process.stderr.write(`the job queue: ${error.message}\n`),
  });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
