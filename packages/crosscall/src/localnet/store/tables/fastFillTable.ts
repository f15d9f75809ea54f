import type { ColumnType, Selectable } from "kysely";

import type { AmountColumn, NullableAmountColumn, TimeColumn } from "./columns.ts";

/**
 * `queued`: not signed yet; `held`: filled, and the deposit is missing; `released`: the deposit is there; `debited`: the
 * deposit did not arrive in time; `failed`: not signed, so the deposit is filled as usual, or its fill failed, so the deposit is refunded.
 */
export type FastFillState = "queued" | "held" | "released" | "debited" | "failed";

export interface FastFillTable {
  readonly request_id: string;
  readonly api_key_hash: string;
  /** What the solver is to receive on the origin chain, in the smallest unit. */
  readonly input_amount: AmountColumn;
  /** US dollars times 10^18. */
  readonly max_fill_usd_e18: NullableAmountColumn;
  state: FastFillState;
  /** Value of the signed fill, which is held until the deposit is there, in US dollars times 10^18. */
  held_usd_e18: AmountColumn;
  /** What was taken from the balance for it, in US dollars times 10^18. */
  debited_usd_e18: ColumnType<string, never, bigint>;
  readonly created_at: TimeColumn;
}

export type FastFillRow = Selectable<FastFillTable>;
