import { hashApiKey } from "./hashApiKey.ts";

import type { ColumnType, JSONColumnType, Selectable, SelectQueryBuilder } from "kysely";

import type { Database, StoreSchema, TimeColumn } from "./schema.ts";

/** Rate limits: requests per minute by endpoint family, or `false` for no limit. */
export type StoredLimits = Readonly<Partial<Record<"quote" | "listing" | "other", number | false>>>;

/** A stored API key, without the key itself. */
export interface ApiKeyTable {
  readonly id: string;
  /** SHA-256 of the key. */
  readonly hash: string;
  readonly integrator: string;
  readonly label: string;
  readonly limits: JSONColumnType<StoredLimits, string, never>;
  readonly created_at: TimeColumn;
  revoked_at: ColumnType<Date | null, Date | null, Date>;
}

declare module "./schema.ts" {
  interface StoreSchema {
    api_keys: ApiKeyTable;
  }
}

export type ApiKeyRow = Selectable<ApiKeyTable>;

export interface NewApiKey {
  readonly apiKey: string;
  /** Keys of the same integrator can read each other's requests. */
  readonly integrator: string;
  readonly label: string;
  readonly limits: StoredLimits;
  readonly createdAt: Date;
}

/** Length of a key's id. The id is a part of the hash, so that a key has the same id in every database. */
const ID_LENGTH = 16;

export function apiKeyId(hash: string): string {
  return hash.slice(0, ID_LENGTH);
}

/**
 * Stores only the hash of a key. An existing key stays unchanged, even if revoked.
 *
 * @returns whether the key is new
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

/** Lists all keys, also revoked ones, of the integrator of a key. Returns none if that key is unknown or revoked. */
export function listKeysWith(db: Database, hash: string): Promise<ApiKeyRow[]> {
  return db
    .selectFrom("api_keys")
    .selectAll()
    .where("integrator", "=", (keys) =>
      keys
        .selectFrom("api_keys as active")
        .select("active.integrator")
        .where("active.hash", "=", hash)
        .where("active.revoked_at", "is", null),
    )
    .execute();
}

/** A key with its balance in US dollars, scaled by 10^18. The balance is null if the key cannot sponsor. */
export type KeyWithSponsorship = ApiKeyRow & { readonly balance_usd_e18: string | null };

export function findApiKeyById(db: Database, id: string): Promise<KeyWithSponsorship | undefined> {
  return selectKeys(db).where("id", "=", id).executeTakeFirst();
}

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

export async function revokeApiKey(db: Database, id: string, at: Date): Promise<void> {
  await db
    .updateTable("api_keys")
    .set({ revoked_at: at })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .execute();
}
