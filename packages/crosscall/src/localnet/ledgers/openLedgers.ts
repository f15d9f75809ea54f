import {
  BITCOIN_CHAIN_ID,
  EXCHANGE_CHAIN_ID,
  HYPERLIQUID_CHAIN_ID,
  TRON_CHAIN_ID,
} from "@crosscall/protocol/chains/chainIds";
import type { Ledger } from "../market/ledger.ts";
import { openBitcoin } from "./bitcoin/openBitcoin.ts";
import { openHyperliquid } from "./hyperliquid/openHyperliquid.ts";
import { openLighter } from "./lighter/openLighter.ts";
import type { LedgerParts } from "./ledgerParts.ts";
import { openTron } from "./tron/openTron.ts";

type OpenLedger = (parts: LedgerParts) => Promise<Ledger>;

/** Functions that open a ledger, by chain id. */
const OPENERS: ReadonlyMap<number, OpenLedger> = new Map([
  [BITCOIN_CHAIN_ID, openBitcoin],
  [EXCHANGE_CHAIN_ID, openLighter],
  [HYPERLIQUID_CHAIN_ID, openHyperliquid],
  [TRON_CHAIN_ID, openTron],
]);

/** Opens the ledgers of the simulated chains that have a ledger. */
export async function openLedgers(parts: LedgerParts): Promise<ReadonlyMap<number, Ledger>> {
  const opened = [...OPENERS].map(async ([chainId, open]) => [chainId, await open(parts)] as const);
  return new Map(await Promise.all(opened));
}
