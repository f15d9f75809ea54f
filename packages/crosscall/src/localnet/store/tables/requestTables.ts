import type { ColumnType, Generated, Insertable, JSONColumnType, Selectable } from "kysely";

import type { FailReason, RefundFailReason, RequestStatus } from "@crosscall/protocol/request";
import type { Order } from "@crosscall/protocol/order";
import type { FailedCallData, Quote } from "@crosscall/protocol/complete";
import type { SponsorshipRequest } from "@crosscall/protocol/quote/rules";
import type { DepositAddressType, Feature } from "@crosscall/protocol/common";
import type { RecordFields, StoredRevenueShare } from "./recordTables.ts";
import type { AmountColumn, OrderIdColumn, TimeColumn, UsdColumn } from "./columns.ts";
import type { StoredTerms } from "./storedTerms.ts";

/** Keeps request ids unique over all months. Rows of other tables refer to it and are deleted with it. */
export interface RequestIdTable {
  readonly id: string;
  readonly order_id: OrderIdColumn;
  readonly created_at: TimeColumn;
}

/** One table per month. */
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
  /** Null without an API key. */
  readonly api_key_hash: string | null;
  readonly deposit_address: string | null;
  readonly deposit_address_type: DepositAddressType | null;
  /** The request that this one duplicates, retries or refunds. */
  readonly parent_request_id: string | null;
  deposit_block: number | null;
  /** From the deposit's block to the fill's. */
  fill_time_seconds: number | null;
  fail_reason: FailReason | null;
  refund_fail_reason: RefundFailReason | null;
  /** The call that would revert, if the fill was not sent for that reason. */
  failed_call_data: JSONColumnType<FailedCallData | null, string | null, string | null>;
  /** The call that failed and its error, for humans. */
  fail_details: string | null;
  /** The block on whose state the solver found that the fill would fail. */
  failed_block: number | null;
  /** Whether it has a transaction with this purpose that has not failed; the database maintains them for own requests. */
  readonly has_deposit: Generated<boolean>;
  readonly has_fill: Generated<boolean>;
  readonly has_refund: Generated<boolean>;
  readonly created_at: TimeColumn;
  updated_at: TimeColumn;
}

/** One row per request. No listing filters by it. */
export interface OrderTable {
  readonly request_id: string;
  readonly trade_type: string;
  /** In the smallest unit of the origin currency. */
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

/** Decimal, in US dollars times 10^18. */
export interface StoredFees {
  readonly swap: string;
  readonly execution: string;
  readonly platform: string;
  readonly app: string;
  /** Passed through to another chain in addition to the fees. */
  readonly passThrough?: string;
  /** Gas of the origin chain, if the service pays it. */
  readonly originGas?: string;
  /** Worth of the output less that of the input at a fixed rate; the sponsor pays it, or receives it if negative. */
  readonly fixedRate?: string;
  /** Worth of the native currency in addition to the output; part of the execution fee. */
  readonly gasTopup?: string;
  readonly sponsorship?: SponsorshipRequest;
  /** The integrator's part of the platform fee. */
  readonly revenueShare?: StoredRevenueShare;
}

export interface StoredAppFee {
  readonly recipient: string;
  /** Basis points of the input, decimal. */
  readonly bps: string;
}

export interface TransitionTable {
  readonly id: Generated<number>;
  readonly request_id: string;
  readonly from_status: RequestStatus;
  readonly to_status: RequestStatus;
  readonly at: TimeColumn;
  /** A failReason, or the event that caused the step; null for the ordinary step. */
  readonly reason: string | null;
}

export type RequestRow = Selectable<RequestTable & OrderTable> & {
  readonly record_fields?: RecordFields | null;
  /** Of the request for a deposit address. */
  readonly recovery_address?: string | null;
};

export type NewRequest = Insertable<RequestTable>;

export type NewOrder = Omit<Insertable<OrderTable>, "request_id">;
