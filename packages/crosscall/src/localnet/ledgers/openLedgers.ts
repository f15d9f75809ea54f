import {
  BITCOIN_CHAIN_ID,
  EXCHANGE_CHAIN_ID,
  HYPERLIQUID_CHAIN_ID,
  SVM_CHAIN_ID,
  TRON_CHAIN_ID,
} from "@crosscall/protocol/chains/chainIds";
import type { Ledger } from "../market/ledger.ts";
import { requireNotFollowed } from "../store/scans.ts";
import { openBitcoin } from "./bitcoin/openBitcoin.ts";
import { openHyperliquid } from "./hyperliquid/openHyperliquid.ts";
import { openLighter } from "./lighter/openLighter.ts";
import type { LedgerParts } from "./ledgerParts.ts";
import { openSolana } from "./solana/openSolana.ts";
import { openTron } from "./tron/openTron.ts";

type OpenLedger = (parts: LedgerParts) => Promise<Ledger>;

/** Functions that open a ledger, by chain id. */
const OPENERS: ReadonlyMap<number, OpenLedger> = new Map([
  [BITCOIN_CHAIN_ID, openBitcoin],
  [EXCHANGE_CHAIN_ID, openLighter],
  [HYPERLIQUID_CHAIN_ID, openHyperliquid],
  [TRON_CHAIN_ID, openTron],
]);

/**
 * Opens the ledgers of the simulated chains that have a ledger.
 *
 * @param svm whether to open Solana, whose simulator is a separate package
 * @throws {@link InvalidStateError} if the simulator of Solana is not installed, or `svm` is false although
 *   the database has Solana's transactions
 */
export async function openLedgers(parts: LedgerParts, svm: boolean): Promise<ReadonlyMap<number, Ledger>> {
  if (!svm) await requireNotFollowed(parts.db, SVM_CHAIN_ID);
  // Opened first, because it can fail before anything listens.
  const solana = svm ? [[SVM_CHAIN_ID, await openSolana(parts)] as const] : [];
  const opened = [...OPENERS].map(async ([chainId, open]) => [chainId, await open(parts)] as const);
  return new Map([...solana, ...(await Promise.all(opened))]);
}
