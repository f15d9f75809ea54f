import { BITCOIN_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import type { Ledger } from "../market/ledger.ts";
import { openBitcoin } from "./bitcoin/openBitcoin.ts";
import type { LedgerParts } from "./ledgerParts.ts";

type OpenLedger = (parts: LedgerParts) => Promise<Ledger>;

/** Ledgers by the id of their chain. */
const OPENERS: ReadonlyMap<number, OpenLedger> = new Map([[BITCOIN_CHAIN_ID, openBitcoin]]);

/** Opens the ledger of each simulated chain that has one. Their balances are in memory. */
export async function openLedgers(parts: LedgerParts): Promise<ReadonlyMap<number, Ledger>> {
  const opened = [...OPENERS].map(async ([chainId, open]) => [chainId, await open(parts)] as const);
  return new Map(await Promise.all(opened));
}
