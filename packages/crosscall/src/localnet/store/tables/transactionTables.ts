import type { Generated, JSONColumnType, Selectable } from "kysely";

import type { AmountColumn, NullableAmountColumn, TimeColumn } from "./columns.ts";

export type TransactionPurpose =
  | "deposit"
  | "fill"
  | "refund"
  // For a deposit address: a payment to it, gas money from the solver, and the transfer to the depository.
  | "payment"
  | "funding"
  | "sweepApproval"
  | "sweep"
  // For a permit: the deposit that uses it, and the deposit of an amount that it moved before.
  | "permit"
  | "permitDeposit"
  // A call for a user.
  | "execution"
  // What a payment to a strict deposit address has above the order.
  | "excess"
  // Withdraws a deposit that cannot be refunded to the recovery address.
  | "recovery"
  // Of app fees; its id is in place of a request's.
  | "claim";

/**
 * The solver's own transactions are stored signed before they are sent, so a restart sends the same bytes and the chain
 * includes them once.
 */
export interface TransactionTable {
  readonly id: Generated<number>;
  readonly request_id: string;
  readonly purpose: TransactionPurpose;
  readonly chain_id: number;
  hash: string;
  sender: string;
  /** Null for transactions of others. */
  nonce: number | null;
  signed: string | null;
  status: "pending" | "success" | "failure";
  block_number: number | null;
  /** Unix seconds. */
  block_timestamp: number | null;
  /** Wei. */
  fee: NullableAmountColumn;
  gas_used: number | null;
  /** Smallest unit. */
  amount: AmountColumn;
  currency: string;
  readonly created_at: TimeColumn;
}

/** Earlier or later bytes for the same nonce, of which the chain includes one. */
export interface AttemptTable {
  readonly hash: string;
  readonly transaction_id: number;
  readonly nonce: number;
  readonly signed: string;
  /** Whether it only uses up the nonce. */
  readonly is_cancellation: boolean;
  readonly created_at: TimeColumn;
}

export interface TransactionContentTable {
  readonly transaction_id: number;
  readonly to: string | null;
  readonly input: string;
  /** Wei. */
  readonly value: AmountColumn;
  readonly state_changes: JSONColumnType<StateChange[]>;
}

export interface StateChange {
  readonly address: string;
  readonly currency: string;
  /** Smallest unit, decimal; negative for outgoing. */
  readonly amount: string;
}

export type TransactionRow = Selectable<TransactionTable>;

export type AttemptRow = Selectable<AttemptTable>;
