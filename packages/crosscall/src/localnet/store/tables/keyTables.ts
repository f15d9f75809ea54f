import type { ColumnType, JSONColumnType, Selectable } from "kysely";

import type { AmountColumn, TimeColumn } from "./columns.ts";

/** Calls per minute by endpoint family; `false` for no limit. */
export type StoredLimits = Readonly<Partial<Record<"quote" | "listing" | "other", number | false>>>;

/** The key itself is not stored. */
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

export interface SponsorTable {
  readonly api_key_hash: string;
  /** US dollars times 10^18. */
  balance_usd_e18: AmountColumn;
}

/** Charged when the fill is signed, corrected when it is included. */
export interface SponsorPaymentTable {
  readonly request_id: string;
  readonly api_key_hash: string;
  /** US dollars times 10^18. */
  usd_e18: AmountColumn;
}

export interface UsageCountTable {
  readonly key_hash: string;
  readonly minute: TimeColumn;
  readonly endpoint: string;
  readonly status_code: number;
  /** Empty if there is none. */
  readonly error_code: string;
  count: number;
}

export type ApiKeyRow = Selectable<ApiKeyTable>;
