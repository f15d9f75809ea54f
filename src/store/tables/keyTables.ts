import type { ColumnType, JSONColumnType, Selectable } from "kysely";

import type { AmountColumn, TimeColumn } from "./columns.ts";

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

/** A key as read. */
export type ApiKeyRow = Selectable<ApiKeyTable>;
