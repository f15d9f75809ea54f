import type { ColumnType, JSONColumnType, Selectable } from "kysely";

import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import type { AmountColumn, TimeColumn } from "./columns.ts";

/**
 * `seen`: in a block, not confirmed; `taken`: belongs to a request; `vanished`: its block is gone and the replacement
 * is not read yet; `lost`: no longer in any block; `ignored`: belongs to no request, in a currency that the service
 * does not know.
 */
export interface DepositTable {
  readonly chain_id: number;
  readonly tx_hash: string;
  /** Index among the deposits of its transaction. */
  readonly position: number;
  order_id: string;
  depositor: string;
  currency: string;
  amount: AmountColumn;
  block_number: number;
  /** Unix seconds. */
  block_timestamp: number;
  /** Wei. */
  fee: AmountColumn;
  gas_used: number;
  state: "seen" | "taken" | "vanished" | "lost" | "ignored";
  /** The request that it pays. */
  request_id: string | null;
  readonly seen_at: TimeColumn;
  /** When a reorg removed its block. */
  reorged_at: ColumnType<Date | null, never, Date | null>;
  /** Of the block that the reorg removed. */
  block_hash: ColumnType<string | null, never, string | null>;
}

export interface AnnouncementTable {
  readonly request_id: string;
  readonly chain_id: number;
  readonly tx_hash: string;
  readonly at: TimeColumn;
}

export interface ScanTable {
  readonly chain_id: number;
  /** Hash of block 0, or on a fork of the first block after it: distinguishes chains with the same id. */
  readonly genesis_hash: string;
  /** -1 if none was scanned. */
  block_number: number;
}

export interface ScannedBlockTable {
  readonly chain_id: number;
  readonly block_number: number;
  readonly block_hash: string;
}

export interface DepositAddressTable {
  /** In lower case. */
  readonly address: string;
  /** Its first payment belongs to this request. */
  readonly request_id: string;
  /** Kept so that another amount can be quoted. */
  readonly request: JSONColumnType<QuoteRequest, string, never>;
  /** By the service's clock. */
  watched_until: TimeColumn;
}

export type DepositRow = Selectable<DepositTable>;
