import {
  type ColumnType,
  type Generated,
  type Insertable,
  type JSONColumnType,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  type SqlBool,
  type Updateable,
} from "kysely";

import type { DepositAddressType, Feature } from "@crosscall/protocol/common";
import type { FailedCallData, Quote } from "@crosscall/protocol/complete";
import type { Order } from "@crosscall/protocol/order";
import type { QuoteRequest, SponsorshipRequest } from "@crosscall/protocol/quote/rules";
import type { FailReason, RefundFailReason, RequestStatus } from "@crosscall/protocol/request";
import { CREATION_CHANNEL } from "../notices.ts";
import type { StoredRevenueShare } from "../revenueShares.ts";
import type { AmountColumn, Database, OrderIdColumn, StoreSchema, TimeColumn, UsdColumn } from "../schema.ts";
import type { TransactionRow } from "../transactions.ts";
import { ensureMonth } from "./months.ts";

/**
 * Table that keeps request ids unique across all months. Rows of other tables reference an id and are deleted with it.
 */
export interface RequestIdTable {
  readonly id: string;
  readonly order_id: OrderIdColumn;
  readonly created_at: TimeColumn;
}

/** Table of requests, which has one partition per month. */
export interface RequestTable {
  readonly id: string;
  readonly order_id: OrderIdColumn;
  status: RequestStatus;
  readonly user: string;
  readonly recipient: string;
  readonly refund_to: string | null;
  readonly request_type: string;
  readonly origin_chain_id: number;
  readonly destination_chain_id: number;
  readonly origin_currency: string;
  readonly destination_currency: string;
  readonly origin_symbol: string;
  readonly destination_symbol: string;
  readonly amount_usd: UsdColumn;
  readonly app_fees_usd: UsdColumn;
  readonly features: Feature[];
  readonly referrer: string | null;
  /** Hash of the API key; null without a key. */
  readonly api_key_hash: string | null;
  readonly deposit_address: string | null;
  readonly deposit_address_type: DepositAddressType | null;
  /** Id of the request that this request duplicates, retries or refunds. */
  readonly parent_request_id: string | null;
  deposit_block: number | null;
  /** Seconds from the deposit's block to the fill's block. */
  fill_time_seconds: number | null;
  fail_reason: FailReason | null;
  refund_fail_reason: RefundFailReason | null;
  /** Call that would revert, if this kept the fill from being sent. */
  failed_call_data: JSONColumnType<FailedCallData | null, string | null, string | null>;
  /** Human-readable description of the failed call and its error. */
  fail_details: string | null;
  /** Block at which the fill failed in the solver's simulation. */
  failed_block: number | null;
  /** Whether the request has a transaction with this purpose that has not failed. Triggers maintain these columns. */
  readonly has_deposit: Generated<boolean>;
  readonly has_fill: Generated<boolean>;
  readonly has_refund: Generated<boolean>;
  /** Number of the order's inputs, each with its own deposit. A request that returns a deposit has one. */
  readonly input_count: Generated<number>;
  readonly created_at: TimeColumn;
  updated_at: TimeColumn;
}

/** Terms of a request, with one row per request. Listings do not filter by them. */
export interface OrderTable {
  readonly request_id: string;
  readonly trade_type: string;
  /** Input amount in the smallest unit of the origin currency. */
  readonly input_amount: AmountColumn;
  readonly minimum_output_amount: AmountColumn;
  readonly expected_output_amount: AmountColumn;
  readonly slippage_tolerance_bps: number;
  readonly order_data: JSONColumnType<Order>;
  readonly details: JSONColumnType<Quote["details"]>;
  readonly fees: JSONColumnType<StoredFees>;
  readonly app_fees: JSONColumnType<StoredAppFee[]>;
  readonly terms: ColumnType<StoredTerms, string | undefined, string>;
}

/** Stored fees, as decimals in US dollars, scaled by 10^18. */
export interface StoredFees {
  readonly swap: string;
  readonly execution: string;
  readonly platform: string;
  readonly app: string;
  /** Amount passed through to another chain in addition to the fees. */
  readonly passThrough?: string;
  /** Gas on the origin chain, if the service pays it. */
  readonly originGas?: string;
  /**
   * Value of the output minus the input at a fixed rate. The sponsor pays the value, or receives it if it is negative.
   */
  readonly fixedRate?: string;
  /** Value of the input less that of the deposit, if the user swaps before the deposit. */
  readonly originSwap?: string;
  /** Value of the gas top-up, which is part of the execution fee. */
  readonly gasTopup?: string;
  /** Value of the rent of the recipient's new account, which is part of the execution fee. */
  readonly rent?: string;
  readonly sponsorship?: SponsorshipRequest;
  /** Integrator's share of the platform fee. */
  readonly revenueShare?: StoredRevenueShare;
}

export interface StoredAppFee {
  readonly recipient: string;
  /** Fee rate in basis points of the input, as a decimal. */
  readonly bps: string;
}

export type RequestRow = Selectable<RequestTable & OrderTable> & {
  readonly record_fields?: RecordFields | null;
  /** Recovery address from the quote request for a deposit address. */
  readonly recovery_address?: string | null;
};

export type NewRequest = Insertable<RequestTable>;

export type NewOrder = Omit<Insertable<OrderTable>, "request_id">;

/** Requirements of a quote request for the fill, except amounts. A missing field has no requirement. */
export interface StoredTerms {
  /** Time in Unix seconds from which the request is refunded instead of filled. */
  readonly expiresAt?: number;
  /** Total gas limit of the order's calls. */
  readonly txsGasLimit?: number;
  /** Allowed extra cost of a fill after a late deposit, in bps. */
  readonly lateToleranceBps?: string;
  readonly usesExternalLiquidity?: true;
  /** Whether the rate is guaranteed, so that the quoted amount is delivered. */
  readonly isFixedRate?: true;
  /** Native currency for the recipient in addition to the output, in wei. */
  readonly gasTopup?: string;
  /** The order's deposit in the smallest unit, if the user swaps for its currency. */
  readonly deposit?: { readonly currency: string; readonly amount: string };
  readonly authorizationList?: NonNullable<QuoteRequest["authorizationList"]>;
}

/** Returns the deposit that a request expects. */
export function owedDeposit({
  terms,
  origin_currency: currency,
  input_amount: amount,
}: Pick<RequestRow, "terms" | "origin_currency" | "input_amount">): {
  readonly currency: string;
  readonly amount: bigint;
} {
  return { currency: terms.deposit?.currency ?? currency, amount: BigInt(terms.deposit?.amount ?? amount) };
}

/** Record fields that no quote or transaction of this network contains. */
export interface RecordFields {
  readonly supersededByRequestId?: string | null;
  /** Id from a payment partner. */
  readonly partnerId?: string | null;
  /** Whether the quote used a price oracle, which is the case for integrators with fixed bps. */
  readonly usesOraclePrice?: boolean;
  readonly triggeredByFastFill?: boolean | null;
}

export interface RecordFieldsTable {
  readonly request_id: string;
  fields: JSONColumnType<RecordFields>;
}

declare module "../schema.ts" {
  interface StoreSchema {
    request_ids: RequestIdTable;
    requests: RequestTable;
    orders: OrderTable;
    record_fields: RecordFieldsTable;
  }
}

export async function insertRequest(db: Database, request: NewRequest, order: NewOrder): Promise<void> {
  const { created_at } = request;
  // Checks first, because a failed insert would abort the transaction.
  if (db.isTransaction) await ensureMonth(db, created_at);
  try {
    await writeRequest(db, request, order);
  } catch (error) {
    if (db.isTransaction || !isMissingMonth(error)) throw error;
    await ensureMonth(db, created_at);
    await writeRequest(db, request, order);
  }
}

/**
 * Returns whether an insert failed because the month's table is missing. PostgreSQL reports a missing partition as a
 * check violation.
 */
function isMissingMonth(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "23514";
}

async function writeRequest(db: Database, request: NewRequest, order: NewOrder): Promise<void> {
  const { id, order_id, created_at } = request;
  // One statement, so that either all rows are written or none.
  await db
    .with("ids", (query) => query.insertInto("request_ids").values({ id, order_id, created_at }))
    .with("ordered", (query) => query.insertInto("orders").values({ ...order, request_id: id }))
    .insertInto("requests")
    .values(request)
    .returning(sql`pg_notify(${CREATION_CHANNEL}, ${id}::text)`.as("notified"))
    .execute();
}

export function findRequest(db: Database, id: string): Promise<RequestRow | undefined> {
  return selectRequests(db).where("request_ids.id", "=", id.toLowerCase()).executeTakeFirst();
}

export function findRequestByOrderId(db: Database, orderId: string): Promise<RequestRow | undefined> {
  return selectRequests(db).where("request_ids.order_id", "=", orderId).executeTakeFirst();
}

/** Finds the newest request with a deposit address. */
export function findRequestAtAddress(
  db: Database,
  address: string,
): Promise<Pick<RequestRow, "id" | "origin_chain_id"> | undefined> {
  return db
    .selectFrom("requests")
    .select(["id", "origin_chain_id"])
    .where(sql<SqlBool>`lower(deposit_address) = ${address.toLowerCase()} and deposit_address is not null`)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Fields that determine the status of a request. */
export type RequestState = Pick<
  RequestRow,
  | "id"
  | "status"
  | "fail_reason"
  | "fail_details"
  | "refund_fail_reason"
  | "origin_chain_id"
  | "destination_chain_id"
  | "created_at"
  | "updated_at"
> & { readonly transactions: readonly Pick<TransactionRow, "purpose" | "hash">[] };

/** Reads a status with one statement, because clients poll it. */
export function findRequestState(db: Database, id: string): Promise<RequestState | undefined> {
  return db
    .selectFrom("request_ids")
    .innerJoin("requests", (join) =>
      join.onRef("requests.id", "=", "request_ids.id").onRef("requests.created_at", "=", "request_ids.created_at"),
    )
    .select([
      "requests.id",
      "requests.status",
      "requests.fail_reason",
      "requests.fail_details",
      "requests.refund_fail_reason",
      "requests.origin_chain_id",
      "requests.destination_chain_id",
      "requests.created_at",
      "requests.updated_at",
      sql<RequestState["transactions"]>`(
        select coalesce(json_agg(json_build_object('purpose', purpose, 'hash', hash) order by id), '[]')
        from transactions where request_id = requests.id)`.as("transactions"),
    ])
    .where("request_ids.id", "=", id.toLowerCase())
    .executeTakeFirst();
}

/** Recovery address from the quote request of a deposit address. */
export const RECOVERY_ADDRESS = sql<string | null>`deposit_addresses.request ->> 'recoveryAddress'`;

/** Selects requests by id. Reads only one table, because the id determines the month. */
function selectRequests(
  db: Database,
): SelectQueryBuilder<StoreSchema, "request_ids" | "requests" | "orders", RequestRow> {
  return db
    .selectFrom("request_ids")
    .innerJoin("requests", (join) =>
      join.onRef("requests.id", "=", "request_ids.id").onRef("requests.created_at", "=", "request_ids.created_at"),
    )
    .innerJoin("orders", "orders.request_id", "request_ids.id")
    .leftJoin("record_fields", "record_fields.request_id", "request_ids.id")
    .leftJoin("deposit_addresses", (join) =>
      join.on(sql<boolean>`deposit_addresses.address = lower(requests.deposit_address)`),
    )
    .selectAll(["requests", "orders"])
    .select(["record_fields.fields as record_fields", RECOVERY_ADDRESS.as("recovery_address")]);
}

/** Replaces the order of an unpaid request. */
export async function replaceOrder(
  db: Database,
  requestId: string,
  request: Pick<
    NewRequest,
    | "order_id"
    | "request_type"
    | "origin_chain_id"
    | "origin_currency"
    | "origin_symbol"
    | "amount_usd"
    | "app_fees_usd"
  >,
  order: NewOrder,
): Promise<void> {
  const { order_id } = request;
  await db
    .with("ids", (query) => query.updateTable("request_ids").set({ order_id }).where("id", "=", requestId))
    .with("ordered", (query) => query.updateTable("orders").set(order).where("request_id", "=", requestId))
    .updateTable("requests")
    .set(request)
    .where("id", "=", requestId)
    .execute();
}

/** Expected events on a chain, other than deposits. */
export interface ExpectedPayments {
  /** Whether users still have to execute same-chain requests. */
  readonly hasSameChain: boolean;
  /** Whether deposit addresses are watched. Each address is watched on every chain. */
  readonly hasDepositAddresses: boolean;
}

/**
 * Reads the expected events with one statement, because this function runs for each block of a chain.
 *
 * @param now time on the service's clock
 */
export async function findExpectedPayments(db: Database, chainId: number, now: Date): Promise<ExpectedPayments> {
  const { rows } = await sql<ExpectedPayments>`
    select
      -- In the order of an index: an exists could search all rows of the table for one.
      coalesce((select max(watched_until) from deposit_addresses) > ${now}, false) as "hasDepositAddresses",
      coalesce((
        select origin_chain_id from requests
        where origin_chain_id = destination_chain_id and deposit_address is null
          and status in ('waiting', 'depositing') and origin_chain_id >= ${chainId}
        order by origin_chain_id limit 1
      ) = ${chainId}, false) as "hasSameChain"`.execute(db);
  return rows[0] ?? { hasSameChain: false, hasDepositAddresses: false };
}

/** Returns the ids of unfinished requests with a deposit, which the solver resumes at startup. */
export async function listUnfinishedRequests(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom("requests")
    .select("id")
    .where((row) =>
      row.or([
        row("status", "in", ["pending", "submitted"]),
        // The solver also resumes payments to deposit addresses.
        row("status", "=", "depositing").and("deposit_address", "is not", null),
        row("status", "=", "depositing").and(sql<SqlBool>`features && array['gasless_swap', 'gasless_execution']`),
        // Includes requests with a call for a user that is not included yet.
        row("status", "=", "waiting").and(sql<SqlBool>`features && array['gasless_execution']`),
        // Includes requests with a permit that were filled before their deposit, if the fill failed.
        row("status", "=", "waiting")
          .and("fail_reason", "is not", null)
          .and(sql<SqlBool>`features && array['gasless_swap']`),
      ]),
    )
    .orderBy("created_at")
    .execute();
  return rows.map((row) => row.id);
}

export async function lockRequest(db: Database, id: string): Promise<void> {
  await db
    .selectFrom("requests")
    .select("id")
    .where("id", "=", id)
    .where("created_at", "=", (month) =>
      month.selectFrom("request_ids").select("request_ids.created_at").where("request_ids.id", "=", id),
    )
    .forUpdate()
    .execute();
}

/**
 * Updates the deposit's block without a status change, for filled requests and for deposits that moved to another
 * block.
 */
export async function noteDepositBlock(
  db: Database,
  requestId: string,
  set: Pick<Updateable<RequestTable>, "deposit_block" | "fill_time_seconds">,
): Promise<void> {
  await db.updateTable("requests").set(set).where("id", "=", requestId).execute();
}

/** Sets the given fields of a record. Other fields stay unchanged. */
export async function setRecordFields(db: Database, requestId: string, fields: RecordFields): Promise<void> {
  await db
    .insertInto("record_fields")
    .values({ request_id: requestId, fields: JSON.stringify(fields) })
    .onConflict((conflict) =>
      conflict.column("request_id").doUpdateSet({
        fields: sql<string>`record_fields.fields || excluded.fields`,
      }),
    )
    .execute();
}
