import type { LocalNames } from "@crosscall/oracle/server";
import { TRON_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import type { Clock } from "@crosscall/protocol/core";
import type { Log } from "../log.ts";
import type { Ledger, LedgerArrival } from "../market/ledger.ts";
import { openTronLedger } from "./tron/openTronLedger.ts";

export interface LedgerParts {
  /** Takes a payment to the solver or the depository. */
  readonly onArrival: (arrival: LedgerArrival) => Promise<void>;
  /** Host names that the API accepts. */
  readonly names: LocalNames;
  readonly clock: Clock;
  readonly log: Log;
}

type OpenLedger = (parts: LedgerParts) => Promise<Ledger>;

/** Ledgers by the id of their chain. */
const OPENERS: ReadonlyMap<number, OpenLedger> = new Map([[TRON_CHAIN_ID, openTronLedger]]);

/** Opens the ledger of each simulated chain that has one. Their balances are in memory. */
export async function openLedgers(parts: LedgerParts): Promise<ReadonlyMap<number, Ledger>> {
  const opened = [...OPENERS].map(async ([chainId, open]) => [chainId, await open(parts)] as const);
  return new Map(await Promise.all(opened));
}
