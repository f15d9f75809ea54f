import type { JSONColumnType } from "kysely";

import type { UsdColumn } from "./columns.ts";

/** What records state that no quote or transaction of this network does. */
export interface RecordFields {
  readonly supersededByRequestId?: string | null;
  /** Of a payment partner. */
  readonly partnerId?: string | null;
  /** Whether the quote used a price oracle, as for integrators with fixed bps. */
  readonly usesOraclePrice?: boolean;
  readonly triggeredByFastFill?: boolean | null;
}

export interface RecordFieldsTable {
  readonly request_id: string;
  fields: JSONColumnType<RecordFields>;
}

export interface RevenueShareTable {
  readonly api_key_hash: string;
  is_business_verified: boolean;
  /** Receives the share. */
  wallet: string | null;
  /** Of the trailing 30 days, in addition to the requests of this network. */
  other_volume_usd: UsdColumn;
}

/** The part of an integrator in a quote's platform fee. */
export interface StoredRevenueShare {
  readonly wallet: string;
  /** Basis points of the platform fee, decimal. */
  readonly shareBps: string;
}
