import type { Database } from "../store.ts";

/** What a position belongs to. */
export interface MirroredListing {
  /** The service's base URL. */
  readonly source: string;
  /** Hash of the API key whose requests are listed. */
  readonly apiKeyHash: string;
}

/** Up to when every change of the listing is in the database; undefined where it was never followed. */
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

/** Notes up to when every change of the listing is in the database. */
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
