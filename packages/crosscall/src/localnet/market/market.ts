import type { Hex, LocalAccount } from "viem";

import type { Clock } from "@crosscall/protocol/core";
import type { DevChain } from "../devchain/devChain.ts";
import type { Store } from "../store/store.ts";
import type { CurrencyTable } from "./currencies.ts";

export interface Market {
  readonly store: Pick<Store, "db">;
  readonly chains: ReadonlyMap<number, DevChain>;
  readonly currencies: CurrencyTable;
  readonly solver: LocalAccount;
  readonly clock: Clock;
  readonly randomWord: () => Hex;
  /** Time in which an order can be filled after its quote, in milliseconds. */
  readonly quoteTtlMs: number;
  /** Time for which a deposit address is watched after its last quote, payment or reindex, in milliseconds. */
  readonly depositAddressTtlMs: number;
  /** Charged for cross-chain requests, in bps of the input. */
  readonly rebalancingBps: number;
}
