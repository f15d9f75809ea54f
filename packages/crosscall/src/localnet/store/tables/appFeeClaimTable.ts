import type { Selectable } from "kysely";

import type { AmountColumn, TimeColumn } from "./columns.ts";

export interface AppFeeClaimTable {
  /** 32 bytes, which the wallet signs. */
  readonly id: string;
  /** In lower case. */
  readonly wallet: string;
  readonly recipient: string;
  readonly chain_id: number;
  readonly currency: string;
  /** What the recipient gets, in the smallest unit. */
  readonly amount: AmountColumn;
  /** What it costs the wallet, in US dollars times 10^18. */
  readonly usd_e18: AmountColumn;
  /** `quoted`: not signed by the wallet; `sent`: its transaction is stored; `failed`: there can be none. */
  state: "quoted" | "authorized" | "sent" | "failed";
  readonly created_at: TimeColumn;
}

export type AppFeeClaimRow = Selectable<AppFeeClaimTable>;
