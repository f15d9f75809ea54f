import { type Selectable, sql } from "kysely";

import type { QuoteRequest } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";
import type { DepositAddressTable } from "./tables/depositTables.ts";
import type { Database } from "./store.ts";

export type DepositAddressRow = Selectable<DepositAddressTable>;

export async function insertDepositAddress(
  db: Database,
  row: { readonly address: string; readonly requestId: string; readonly request: QuoteRequest },
): Promise<void> {
  const { address, requestId, request } = row;
  await db
    .insertInto("deposit_addresses")
    .values({ address: address.toLowerCase(), request_id: requestId, request: JSON.stringify(request) })
    .execute();
}

export function listDepositAddresses(db: Database): Promise<DepositAddressRow[]> {
  return db.selectFrom("deposit_addresses").selectAll().execute();
}

export function findDepositAddress(db: Database, address: string): Promise<DepositAddressRow | undefined> {
  return db.selectFrom("deposit_addresses").selectAll().where("address", "=", address.toLowerCase()).executeTakeFirst();
}

export function findDepositAddressOf(db: Database, requestId: string): Promise<DepositAddressRow | undefined> {
  return db
    .selectFrom("deposit_addresses")
    .selectAll()
    .where("request_id", "=", requestId.toLowerCase())
    .executeTakeFirst();
}

/** Until the transaction ends, no other process takes payments of this address. */
export async function lockDepositAddress(db: Database, address: string): Promise<void> {
  await db.selectFrom("deposit_addresses").select("address").where("address", "=", address).forUpdate().execute();
}

export async function listAddressesInSweep(db: Database, chainId: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom("transactions")
    .innerJoin("requests", "requests.id", "transactions.request_id")
    .select(sql<string>`lower(requests.deposit_address)`.as("address"))
    .where("transactions.chain_id", "=", chainId)
    .where((row) =>
      row.or([
        row("purpose", "=", "payment").and("requests.status", "in", ["waiting", "depositing"]),
        // Until all of these are recorded, the balance may include new payments.
        row("purpose", "in", ["funding", "sweepApproval", "sweep"]).and("transactions.status", "=", "pending"),
      ]),
    )
    .execute();
  return new Set(rows.map(({ address }) => address));
}

/** In wei. This gas money is not a user's payment. */
export async function findGasLeft(db: Database, address: string, chainId: number): Promise<bigint> {
  const row = await db
    .selectFrom("transactions")
    .innerJoin("requests", "requests.id", "transactions.request_id")
    .select(
      sql<string>`coalesce(sum(case when purpose = 'funding' then amount else -transactions.fee end), 0)`.as("left"),
    )
    .where(sql<string>`lower(requests.deposit_address)`, "=", address.toLowerCase())
    .where("transactions.chain_id", "=", chainId)
    .where("transactions.purpose", "in", ["funding", "sweepApproval", "sweep"])
    .where("transactions.status", "<>", "pending")
    .executeTakeFirstOrThrow();
  return BigInt(row.left);
}
