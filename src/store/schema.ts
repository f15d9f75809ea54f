import type { ColumnType, Generated, Insertable, JSONColumnType, Selectable } from "kysely";

import type { Order } from "../protocol/order.ts";
import type { Quote } from "../protocol/quote.ts";
import type { FailReason, RefundFailReason } from "../protocol/failReasons.ts";
import type { RequestRecord } from "../protocol/requestRecord.ts";
import type { FailedCallData } from "../protocol/requestRecordData.ts";
import type { QuoteRequest } from "../protocol/quoteRequest.ts";
import type { SponsorshipRequest } from "../protocol/quoteSponsorshipRules.ts";
import type { RequestStatus } from "../protocol/requestStatus.ts";
import type { StatusUpdate } from "../protocol/statusEvent.ts";
import type { Feature } from "../protocol/requestType.ts";
import type { DepositAddressType } from "../protocol/requestType.ts";
import type { RequestFaultsTable, ScenarioTable } from "./scenarioTables.ts";

/** A `numeric(78, 0)` column: it holds any uint256, is written as a bigint and read as a decimal string. */
type AmountColumn = ColumnType<string, bigint | string, bigint | string>;

type NullableAmountColumn = ColumnType<string | null, bigint | string | null, bigint | string | null>;

/** A `numeric(96, 6)` column of US dollars: written and read as a decimal string. */
type UsdColumn = ColumnType<string, string, string>;

type TimeColumn = ColumnType<Date, Date, Date>;

/** Null where a mirrored request has no order; what this service's own code reads has one. */
type OrderIdColumn = ColumnType<string, string | null, string | null>;

/** What keeps the ids of requests unique over all months; rows of other tables refer to it, and go with it. */
export interface RequestIdTable {
  readonly id: string;
  readonly order_id: OrderIdColumn;
  readonly created_at: TimeColumn;
}

/** A request, from its quote to its end: what listings filter and sort by, and its state. One table a month. */
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
  /** What the quoted input is worth. */
  readonly amount_usd: UsdColumn;
  /** What the integrator's fees are worth, as quoted. */
  readonly app_fees_usd: UsdColumn;
  readonly features: Feature[];
  readonly referrer: string | null;
  /** Hash of the API key that it was quoted with; null without one. */
  readonly api_key_hash: string | null;
  readonly deposit_address: string | null;
  readonly deposit_address_type: DepositAddressType | null;
  /** The request that this one duplicates, retries or refunds. */
  readonly parent_request_id: string | null;
  /** The deposit's block on the origin chain. */
  deposit_block: number | null;
  /** From the deposit's block to the fill's. */
  fill_time_seconds: number | null;
  fail_reason: FailReason | null;
  refund_fail_reason: RefundFailReason | null;
  /** The call of a fill that would revert, where it was not sent for that reason. */
  failed_call_data: JSONColumnType<FailedCallData | null, string | null, string | null>;
  /** What people are told beside the failReason: the call that failed, and its error. */
  fail_details: string | null;
  /** The block on whose state the solver found that a fill would fail. */
  failed_block: number | null;
  readonly created_at: TimeColumn;
  updated_at: TimeColumn;
}

/** What this service quoted for a request, one row a request. No listing filters by it. */
export interface OrderTable {
  readonly request_id: string;
  readonly trade_type: string;
  /** What the user must deposit, smallest unit of the origin currency. */
  readonly input_amount: AmountColumn;
  readonly minimum_output_amount: AmountColumn;
  readonly expected_output_amount: AmountColumn;
  readonly slippage_tolerance_bps: number;
  readonly order_data: JSONColumnType<Order>;
  readonly details: JSONColumnType<Quote["details"]>;
  readonly fees: JSONColumnType<StoredFees>;
  readonly app_fees: JSONColumnType<StoredAppFee[]>;
}

/** The fee components of a quote, in US dollars times 10^18, decimal. */
export interface StoredFees {
  readonly swap: string;
  readonly execution: string;
  readonly platform: string;
  readonly app: string;
  /** What was passed through to another chain beside the fees; left out where nothing was. */
  readonly passThrough?: string;
  /** Gas on the origin chain that the execution holds, because the service pays it; left out where the user does. */
  readonly originGas?: string;
  /** What the quote request said about who pays; left out where it said nothing. */
  readonly sponsorship?: SponsorshipRequest;
}

/** A fee that the integrator adds. */
export interface StoredAppFee {
  readonly recipient: string;
  /** Basis points of the input, decimal. */
  readonly bps: string;
}

/** What a transaction does for its request. */
export type TransactionPurpose =
  | "deposit"
  | "fill"
  | "refund"
  // Of a deposit address: what somebody paid to it, the solver's money for its gas, and the way to the depository.
  | "payment"
  | "funding"
  | "sweepApproval"
  | "sweep";

/**
 * A transaction of a request. The solver's own (fill, refund) are written here signed, before they are sent: a restart
 * sends the same bytes again, so the chain can include them once only.
 */
export interface TransactionTable {
  readonly id: Generated<number>;
  readonly request_id: string;
  readonly purpose: TransactionPurpose;
  readonly chain_id: number;
  hash: string;
  readonly sender: string;
  /** The sender's nonce and the signed bytes: null for transactions of others. */
  nonce: number | null;
  signed: string | null;
  status: "pending" | "success" | "failure";
  block_number: number | null;
  /** Unix seconds. */
  block_timestamp: number | null;
  /** Gas paid, in wei. */
  fee: NullableAmountColumn;
  gas_used: number | null;
  /** What it moved, smallest unit. */
  amount: AmountColumn;
  readonly currency: string;
  readonly created_at: TimeColumn;
}

/** The chains that this store follows, and how far each was scanned for deposits. */
export interface ScanTable {
  readonly chain_id: number;
  /** Hash of block 0, on a fork of the first block of its own: tells a chain from another one with the same id. */
  readonly genesis_hash: string;
  /** The last block that is done; -1 where none is. */
  block_number: number;
}

/** Calls a minute that a key has of its own, by family of endpoints; `false` for no limit. */
export type StoredLimits = Readonly<Partial<Record<"quote" | "listing" | "other", number | false>>>;

/** A key of an integrator. The key itself is not kept. */
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

/**
 * A deposit as a chain has it. `seen`: in a block, and not confirmed yet; `taken`: a request has it; `vanished`: its
 * block is gone, and what replaces it is still to be read; `lost`: in no block any more; `ignored`: of nobody, in a
 * currency that the service does not know.
 */
export interface DepositTable {
  readonly chain_id: number;
  readonly tx_hash: string;
  /** Which deposit of its transaction, from 0. */
  readonly position: number;
  readonly order_id: string;
  readonly depositor: string;
  readonly currency: string;
  readonly amount: AmountColumn;
  block_number: number;
  /** Unix seconds. */
  block_timestamp: number;
  /** Wei. */
  fee: AmountColumn;
  gas_used: number;
  state: "seen" | "taken" | "vanished" | "lost" | "ignored";
  /** The request that it pays, or that returns it. */
  request_id: string | null;
  readonly seen_at: TimeColumn;
}

/** The deposit that a client announced for a request. */
export interface AnnouncementTable {
  readonly request_id: string;
  readonly chain_id: number;
  readonly tx_hash: string;
  readonly at: TimeColumn;
}

/** A block that was scanned: tells whether the chain is still the one that was read. */
export interface ScannedBlockTable {
  readonly chain_id: number;
  readonly block_number: number;
  readonly block_hash: string;
}

/** Bytes that were signed in place of a transaction's present ones: of one nonce the chain includes one. */
export interface AttemptTable {
  readonly hash: string;
  readonly transaction_id: number;
  readonly nonce: number;
  readonly signed: string;
  /** Whether it only uses the nonce up. */
  readonly is_cancellation: boolean;
  readonly created_at: TimeColumn;
}

/** What an included transaction did. */
export interface TransactionContentTable {
  readonly transaction_id: number;
  readonly to: string | null;
  readonly input: string;
  /** Wei. */
  readonly value: AmountColumn;
  readonly state_changes: JSONColumnType<StateChange[]>;
}

/** What a transaction changed of a balance. */
export interface StateChange {
  readonly address: string;
  readonly currency: string;
  /** Smallest unit, decimal; negative where it went out. */
  readonly amount: string;
}

/** Where the events of a key's requests go. */
export interface WebhookTable {
  readonly key_hash: string;
  readonly url: string;
  readonly header_names: string[];
  /** The key and the headers, sealed. */
  readonly sealed: string;
  readonly created_at: TimeColumn;
}

/** Whether an event was brought to its webhook: `undelivered` once no further attempt is made. */
export type WebhookEventState = "pending" | "delivered" | "undelivered";

/** An event for a webhook, written with the change that it tells of. */
export interface WebhookEventTable {
  readonly id: Generated<number>;
  readonly request_id: string;
  readonly key_hash: string;
  readonly status: RequestStatus;
  readonly status_at: TimeColumn;
  /** What it tells; null until the first attempt. */
  data: JSONColumnType<StatusUpdate | null, string | null>;
  state: Generated<WebhookEventState>;
  attempts: Generated<number>;
  /** The receiver's last answer, where there was one. */
  answer_status: number | null;
  /** Why the last attempt failed. */
  problem: string | null;
  held_until: ColumnType<Date | null, Date | null>;
  finished_at: ColumnType<Date | null, Date | null>;
}

/** A step of a request: a change of its status, or of its reason to fail. */
export interface TransitionTable {
  readonly id: Generated<number>;
  readonly request_id: string;
  readonly from_status: RequestStatus;
  readonly to_status: RequestStatus;
  readonly at: TimeColumn;
  /** A failReason, or the event that caused the step; null where the step is the ordinary one. */
  readonly reason: string | null;
}

/** A sponsor of fees: an API key that has sponsorship enabled. */
export interface SponsorTable {
  readonly api_key_hash: string;
  /** US dollars times 10^18. */
  balance_usd_e18: AmountColumn;
}

/** What a sponsor paid for a request: taken when the fill is signed, made exact when it is included. */
export interface SponsorPaymentTable {
  readonly request_id: string;
  readonly api_key_hash: string;
  /** US dollars times 10^18. */
  usd_e18: AmountColumn;
}

/** A deposit address that a quote gave out. */
export interface DepositAddressTable {
  /** In lower case. */
  readonly address: string;
  /** The request that it was given out for: its first payment belongs to it. */
  readonly request_id: string;
  /** What was asked for, so that another amount can be quoted. */
  readonly request: JSONColumnType<QuoteRequest, string, never>;
}

/** A request of another service, as it told it. */
export interface RecordTable {
  readonly request_id: string;
  record: JSONColumnType<RequestRecord>;
}

/** A transaction that a record names. */
export interface RecordTransactionTable {
  readonly request_id: string;
  readonly purpose: TransactionPurpose;
  readonly status: "success" | "failure";
  readonly hash: string;
}

/** How far the listing of a key's requests at another service was followed. */
export interface MirrorTable {
  /** The service's base URL. */
  readonly source: string;
  readonly api_key_hash: string;
  /** Up to when every change is here. */
  updated_to: TimeColumn;
}

/** The tables of the store. */
export interface StoreSchema {
  api_keys: ApiKeyTable;
  webhooks: WebhookTable;
  webhook_events: WebhookEventTable;
  request_ids: RequestIdTable;
  requests: RequestTable;
  orders: OrderTable;
  transactions: TransactionTable;
  scans: ScanTable;
  transitions: TransitionTable;
  deposits: DepositTable;
  announcements: AnnouncementTable;
  scanned_blocks: ScannedBlockTable;
  attempts: AttemptTable;
  transaction_contents: TransactionContentTable;
  sponsors: SponsorTable;
  sponsor_payments: SponsorPaymentTable;
  scenarios: ScenarioTable;
  request_faults: RequestFaultsTable;
  deposit_addresses: DepositAddressTable;
  records: RecordTable;
  record_transactions: RecordTransactionTable;
  mirrors: MirrorTable;
}

/** A request as read, with its order. */
export type RequestRow = Selectable<RequestTable & OrderTable>;

/** A request as written. */
export type NewRequest = Insertable<RequestTable>;

/** Its order as written. */
export type NewOrder = Omit<Insertable<OrderTable>, "request_id">;

/** A key as read. */
export type ApiKeyRow = Selectable<ApiKeyTable>;

/** A webhook as read. */
export type WebhookRow = Selectable<WebhookTable>;

/** An event of a webhook as read. */
export type WebhookEventRow = Selectable<WebhookEventTable>;

/** A transaction as read. */
export type TransactionRow = Selectable<TransactionTable>;

/** A deposit as read. */
export type DepositRow = Selectable<DepositTable>;

/** A replaced or cancelling transaction as read. */
export type AttemptRow = Selectable<AttemptTable>;
