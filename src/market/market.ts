import type { Hex, LocalAccount } from "viem";

import type { Clock } from "@crosscall/sdk/internal/core/clock";
import type { DevChain } from "../devchain/devChain.ts";
import type { Store } from "../store/store.ts";
import type { CurrencyTable } from "./currencies.ts";

/** What quotes are made from: the traded chains and currencies, the solver that fills, and where requests are kept. */
export interface Market {
  readonly store: Pick<Store, "db">;
  readonly chains: ReadonlyMap<number, DevChain>;
  readonly currencies: CurrencyTable;
  /** The service's wallet on every chain. */
  readonly solver: LocalAccount;
  readonly clock: Clock;
  /** Returns 32 random bytes. */
  readonly randomWord: () => Hex;
  /** How long an order can be filled after its quote, in milliseconds. */
  readonly quoteTtlMs: number;
}
