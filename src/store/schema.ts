import type { ColumnType, Generated, JSONColumnType, Selectable } from "kysely";

import type { Order } from "../protocol/order.ts";
import type { Quote } from "../protocol/quote.ts";
import type { FailReason, RefundFailReason } from "../protocol/failReasons.ts";
import type { FailedCallData } from "../protocol/requestRecordData.ts";
import type { RequestStatus } from "../protocol/requestStatus.ts";
import type { Feature } from "../protocol/requestType.ts";
import type { DepositAddressType } from "../protocol/requestType.ts";

/** A `numeric(78, 0)` column: it holds any uint256, is written as a bigint and read as a decimal string. */
type AmountColumn = ColumnType<string, bigint | string, bigint | string>;

type NullableAmountColumn = ColumnType<string | null, bigint | string | null, bigint | string | null>;

/** A `numeric(96, 6)` column of US dollars: written and read as a decimal string. */
type UsdColumn = ColumnType<string, string, never>;

type TimeColumn = ColumnType<Date, Date, Date>;

/** A request, from its quote to its end. */
export interface RequestTable {
  readonly id: string;
  readonly order_id: string;
  status: RequestStatus;
  readonly user: string;
  readonly recipient: string;
  readonly refund_to: string | null;
  readonly request_type: string;
  readonly trade_type: string;
  readonly origin_chain_id: number;
  readonly destination_chain_id: number;
  readonly origin_currency: string;
  readonly destination_currency: string;
  /** What the user must deposit, smallest unit of the origin currency. */
  readonly input_amount: AmountColumn;
  readonly minimum_output_amount: AmountColumn;
  readonly expected_output_amount: AmountColumn;
  readonly slippage_tolerance_bps: number;
  readonly referrer: string | null;
  readonly order_data: JSONColumnType<Order, string, never>;
  readonly details: JSONColumnType<Quote["details"], string, never>;
  readonly fees: JSONColumnType<StoredFees, string, never>;
  readonly app_fees: JSONColumnType<StoredAppFee[], string, never>;
  fail_reason: FailReason | null;
  refund_fail_reason: RefundFailReason | null;
  /** Hash of the API key that it was quoted with; null without one. */
  readonly api_key_hash: string | null;
  readonly origin_symbol: string;
  readonly destination_symbol: string;
  /** What the quoted input is worth. */
  readonly amount_usd: UsdColumn;
  /** What the integrator's fees are worth, as quoted. */
  readonly app_fees_usd: UsdColumn;
  readonly features: Feature[];
  readonly deposit_address: string | null;
  readonly deposit_address_type: DepositAddressType | null;
  /** The request that this one duplicates, retries or refunds. */
  readonly parent_request_id: string | null;
  /** The deposit's block on the origin chain. */
  deposit_block: number | null;
  /** From the deposit's block to the fill's. */
  fill_time_seconds: number | null;
  /** The call of a fill that would revert, where it was not sent for that reason. */
  failed_call_data: JSONColumnType<FailedCallData | null, string | null>;
  readonly created_at: TimeColumn;
  updated_at: TimeColumn;
}

/** The fee components of a quote, in US dollars times 10^18, decimal. */
export interface StoredFees {
  readonly swap: string;
  readonly execution: string;
  readonly platform: string;
  readonly app: string;
}

/** A fee that the integrator adds. */
export interface StoredAppFee {
  readonly recipient: string;
  /** Basis points of the input, decimal. */
  readonly bps: string;
}

/** What a transaction does for its request. */
export type TransactionPurpose = "deposit" | "fill" | "refund";

/**
 * A transaction of a request. The solver's own (fill, refund) are written here signed, before they are sent: a restart
 * sends the same bytes again, so the chain can include them once only.
 */
export interface TransactionTable {
  readonly id: Generated<number>;
  readonly request_id: string;
  readonly purpose: TransactionPurpose;
  readonly chain_id: number;
  readonly hash: string;
  readonly sender: string;
  /** The sender's nonce and the signed bytes: null for transactions of others. */
  readonly nonce: number | null;
  readonly signed: string | null;
  status: "pending" | "success" | "failure";
  block_number: number | null;
  /** Unix seconds. */
  block_timestamp: number | null;
  /** Gas paid, in wei. */
  fee: NullableAmountColumn;
  gas_used: number | null;
  /** What it moved, smallest unit. */
  readonly amount: AmountColumn;
  readonly currency: string;
  readonly created_at: TimeColumn;
}

/** The chains that this store follows, and how far each was scanned for deposits. */
export interface ScanTable {
  readonly chain_id: number;
  /** Hash of block 0: tells a chain from another one with the same id. */
  readonly genesis_hash: string;
  /** The last block that is done; -1 where none is. */
  block_number: number;
}

/** The tables of the store. */
export interface StoreSchema {
  requests: RequestTable;
  transactions: TransactionTable;
  scans: ScanTable;
}

/** A request as read. */
export type RequestRow = Selectable<RequestTable>;

/** A transaction as read. */
export type TransactionRow = Selectable<TransactionTable>;
