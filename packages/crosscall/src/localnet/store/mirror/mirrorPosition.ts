import type { Database } from "../store.ts";

export interface MirroredListing {
  readonly source: string;
  readonly apiKeyHash: string;
}

/** Every change of the listing up to this time is in the database; undefined if it was never synced. */
export async function findMirrorPosition(
  db: Database,
  { source, apiKeyHash }: MirroredListing,
): Promise<Date | undefined> {
  const row = await db
    .selectFrom("mirrors")
    .select("updated_to")
    .where("source", "=", source)
    .where("api_key_hash", "=", apiKeyHash)
    .executeTakeFirst();
  return row?.updated_to;
}

export async function saveMirrorPosition(
  db: Database,
  { source, apiKeyHash }: MirroredListing,
  updatedTo: Date,
): Promise<void> {
  await db
    .insertInto("mirrors")
    .values({ source, api_key_hash: apiKeyHash, updated_to: updatedTo })
    .onConflict((conflict) => conflict.columns(["source", "api_key_hash"]).doUpdateSet({ updated_to: updatedTo }))
    .execute();
}
