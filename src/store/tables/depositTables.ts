import type { JSONColumnType, Selectable } from "kysely";

import type { QuoteRequest } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";
import type { AmountColumn, TimeColumn } from "./columns.ts";

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

/** The chains that this store follows, and how far each was scanned for deposits. */
export interface ScanTable {
  readonly chain_id: number;
  /** Hash of block 0, on a fork of the first block of its own: tells a chain from another one with the same id. */
  readonly genesis_hash: string;
  /** The last block that is done; -1 where none is. */
  block_number: number;
}

/** A block that was scanned: tells whether the chain is still the one that was read. */
export interface ScannedBlockTable {
  readonly chain_id: number;
  readonly block_number: number;
  readonly block_hash: string;
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

/** A deposit as read. */
export type DepositRow = Selectable<DepositTable>;
