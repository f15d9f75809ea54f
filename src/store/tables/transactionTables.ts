import type { Generated, JSONColumnType, Selectable } from "kysely";

import type { AmountColumn, NullableAmountColumn, TimeColumn } from "./columns.ts";

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
  sender: string;
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
  currency: string;
  readonly created_at: TimeColumn;
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

/** A transaction as read. */
export type TransactionRow = Selectable<TransactionTable>;

/** A replaced or cancelling transaction as read. */
export type AttemptRow = Selectable<AttemptTable>;
