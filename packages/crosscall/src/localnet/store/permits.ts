import { type JSONColumnType, type Selectable, sql } from "kysely";

import type { Database } from "./schema.ts";

/** A permit, which the holder signs so that the service can pull the input of a request. */
export interface StoredPermit {
  readonly kind: "eip3009" | "eip2612" | "permit2";
  readonly chainId: number;
  readonly token: string;
  readonly owner: string;
  /** Smallest unit, decimal. */
  readonly amount: string;
  /** Nonce: 32 bytes for EIP-3009, otherwise a decimal number. */
  readonly nonce: string;
  /** Deadline in Unix seconds; exclusive for EIP-3009. */
  readonly deadline: number;
  /** Name and version of the EIP-712 domain. Permit2 has no version. */
  readonly domain: { readonly name: string; readonly version?: string };
  /** Execution by the permit; only for a same-chain request. */
  readonly execution?: PermitExecution;
}

/** Router calls that use the input. */
export interface PermitExecution {
  readonly calls: readonly { readonly to: string; readonly data: string }[];
  /** Recipient of leftover native currency and NFTs. */
  readonly refundTo: string;
  /** Contains the requestId. */
  readonly metadata: string;
}

export interface PermitTable {
  readonly request_id: string;
  readonly permit: JSONColumnType<StoredPermit, string, never>;
  /** Signature; null until the holder posts it. */
  signature: string | null;
}

declare module "./schema.ts" {
  interface StoreSchema {
    permits: PermitTable;
  }
}

export type PermitRow = Selectable<PermitTable>;

export async function insertPermit(db: Database, requestId: string, permit: StoredPermit): Promise<void> {
  await db
    .insertInto("permits")
    .values({ request_id: requestId, permit: JSON.stringify(permit) })
    .execute();
}

export function findPermit(db: Database, requestId: string): Promise<PermitRow | undefined> {
  return db.selectFrom("permits").selectAll().where("request_id", "=", requestId).executeTakeFirst();
}

/**
 * Returns the ids of failed requests with an authorization that other accounts can still use.
 *
 * @param now earliest time of the chains, in Unix seconds
 */
export async function listFailedPermits(db: Database, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom("permits")
    .innerJoin("requests", "requests.id", "permits.request_id")
    .select("requests.id")
    .where("requests.status", "=", "failure")
    .where("permits.signature", "is not", null)
    .where(sql<boolean>`permit ->> 'kind' = 'eip3009' and (permit ->> 'deadline')::bigint > ${now}::bigint`)
    .execute();
  return rows.map(({ id }) => id);
}

/** @returns false if the permit already has a signature, or another permit has this signature */
export async function signPermit(db: Database, requestId: string, signature: string): Promise<boolean> {
  const signed = await db
    .updateTable("permits")
    .set({ signature })
    .where("request_id", "=", requestId)
    .where("signature", "is", null)
    .where((permit) =>
      permit.not(
        permit.exists(
          permit.selectFrom("permits as other").select("other.request_id").where("other.signature", "=", signature),
        ),
      ),
    )
    .returning("request_id")
    .execute();
  return signed.length > 0;
}
