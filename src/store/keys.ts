import type { SelectQueryBuilder } from "kysely";

import { hashApiKey } from "./hashApiKey.ts";
import type { StoreSchema } from "./schema.ts";
import type { ApiKeyRow, StoredLimits } from "./tables/keyTables.ts";
import type { Database } from "./store.ts";

/** A key to be written. */
export interface NewApiKey {
  readonly apiKey: string;
  /** Whose it is: keys of the same integrator see each other's requests. */
  readonly integrator: string;
  readonly label: string;
  readonly limits: StoredLimits;
  readonly createdAt: Date;
}

/** Length of a key's id: a part of its hash, so that the same key has the same id everywhere. */
const ID_LENGTH = 16;

/** The public name of a key. */
export function apiKeyId(hash: string): string {
  return hash.slice(0, ID_LENGTH);
}

/**
 * Writes a key, by its hash only. One that is there stays as it is, also when it was revoked.
 *
 * @returns whether it is new
 */
export async function insertApiKey(db: Database, key: NewApiKey): Promise<boolean> {
  const hash = hashApiKey(key.apiKey);
  const written = await db
    .insertInto("api_keys")
    .values({
      id: apiKeyId(hash),
      hash,
      integrator: key.integrator,
      label: key.label,
      limits: JSON.stringify(key.limits),
      created_at: key.createdAt,
      revoked_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (written.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** The key with this hash, unless it was revoked. */
export function findActiveKey(db: Database, hash: string): Promise<ApiKeyRow | undefined> {
  return db
    .selectFrom("api_keys")
    .selectAll()
    .where("hash", "=", hash)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
}

/** Hashes of all keys of an integrator, revoked ones among them. */
export async function listKeyHashes(db: Database, integrator: string): Promise<string[]> {
  const rows = await db.selectFrom("api_keys").select("hash").where("integrator", "=", integrator).execute();
  return rows.map(({ hash }) => hash);
}

/** A key with what its sponsorship may still spend: US dollars times 10^18, null where it may not sponsor. */
export type KeyWithSponsorship = ApiKeyRow & { readonly balance_usd_e18: string | null };

/** The key with this id, also a revoked one; undefined where there is none. */
export function findApiKeyById(db: Database, id: string): Promise<KeyWithSponsorship | undefined> {
  return selectKeys(db).where("id", "=", id).executeTakeFirst();
}

/** All keys, oldest first. */
export function listApiKeys(db: Database): Promise<KeyWithSponsorship[]> {
  return selectKeys(db).orderBy("created_at").orderBy("id").execute();
}

function selectKeys(db: Database): SelectQueryBuilder<StoreSchema, "api_keys", KeyWithSponsorship> {
  return db
    .selectFrom("api_keys")
    .leftJoin("sponsors", "sponsors.api_key_hash", "api_keys.hash")
    .selectAll("api_keys")
    .select("sponsors.balance_usd_e18");
}

/** Revokes the key with this id for good, where there is one; the first time counts. */
export async function revokeApiKey(db: Database, id: string, at: Date): Promise<void> {
  await db
    .updateTable("api_keys")
    .set({ revoked_at: at })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .execute();
}
