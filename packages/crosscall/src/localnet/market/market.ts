import type { Hex, LocalAccount } from "viem";

import type { Clock } from "@crosscall/protocol/core";
import type { DevChain } from "../devchain/devChain.ts";
import type { Store } from "../store/store.ts";
import type { CurrencyTable } from "./currencies.ts";
import type { Ledger } from "./ledger.ts";

// Parts of the market. A function takes only the parts that it needs.

export interface Timed {
  /** The service's clock. */
  readonly clock: Clock;
}

/** Prices currencies. */
export interface Pricer {
  readonly currencies: CurrencyTable;
}

/** Reads the chains of the network by id. */
export interface ChainReader {
  readonly chains: ReadonlyMap<number, DevChain>;
}

/** Has the account that signs and pays. */
export interface Payer {
  readonly solver: LocalAccount;
}

/** Reads and writes tables. */
export interface DatabaseUser {
  readonly store: Pick<Store, "db">;
}

/** Uses the whole store, with its events and jobs. */
export interface StoreUser {
  readonly store: Store;
}

/** Records events of requests. */
export interface Recorder extends Timed, StoreUser {}

export interface LedgerUser {
  /** Ledgers of simulated chains, by the id of the chain. */
  readonly ledgers: ReadonlyMap<number, Ledger>;
}

export interface RandomSource {
  readonly randomWord: () => Hex;
}

export interface QuoteIssuer {
  /** Time for which an order can be filled after its quote, in milliseconds. */
  readonly quoteTtlMs: number;
}

export interface AddressWatcher {
  /** Time to watch a deposit address after its last quote, payment or reindex, in milliseconds. */
  readonly depositAddressTtlMs: number;
}

export interface Rebalancer {
  /** Charge for cross-chain requests, in bps of the input. */
  readonly rebalancingBps: number;
}

export interface Market
  extends
    Timed,
    Pricer,
    ChainReader,
    Payer,
    DatabaseUser,
    LedgerUser,
    RandomSource,
    QuoteIssuer,
    AddressWatcher,
    Rebalancer {}
