import type { Generated, Insertable, JSONColumnType, Selectable } from "kysely";

import type { FailReason, RefundFailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";
import type { Order } from "@crosscall/sdk/internal/protocol/order/order";
import type { FailedCallData, Quote } from "@crosscall/sdk/internal/protocol/complete";
import type { SponsorshipRequest } from "@crosscall/sdk/internal/protocol/quote/quoteSponsorshipRules";
import type { RequestStatus } from "@crosscall/sdk/internal/protocol/request/requestStatus";
import type { DepositAddressType, Feature } from "@crosscall/sdk/internal/protocol/common/requestType";
import type { AmountColumn, OrderIdColumn, TimeColumn, UsdColumn } from "./columns.ts";

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

/** A request as read, with its order. */
export type RequestRow = Selectable<RequestTable & OrderTable>;

/** A request as written. */
export type NewRequest = Insertable<RequestTable>;

/** Its order as written. */
export type NewOrder = Omit<Insertable<OrderTable>, "request_id">;
