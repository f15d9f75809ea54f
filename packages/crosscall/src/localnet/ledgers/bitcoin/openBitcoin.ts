import { type Hex, ripemd160, sha256, stringToBytes } from "viem";

import { BITCOIN_CODEC } from "@crosscall/protocol/vms";
import type { Ledger } from "../../market/ledger.ts";
import type { LedgerParts } from "../ledgerParts.ts";
import { serveLedger } from "../serveLedger.ts";
import type { BitcoinLedger } from "./bitcoinLedger.ts";

/** Opens the API of a Bitcoin ledger. Loads the ledger itself on first use. */
export async function openBitcoin(parts: LedgerParts): Promise<Ledger> {
  let loading: Promise<BitcoinLedger> | undefined;
  const load = (): Promise<BitcoinLedger> => {
    loading ??= import("./bitcoinLedger.ts").then(({ createBitcoinLedger }) => createBitcoinLedger(parts));
    return loading;
  };
  const { names, log } = parts;
  const server = await serveLedger({
    names,
    log,
    // The explorers serve their API under this path.
    respond: async (call) => (await load()).respond({ ...call, path: call.path.replace(/^\/api(?=\/)/u, "") }),
  });
  const url = `${server.url}/api`;
  return {
    url,
    oracleChain: { vmType: "bitcoin-vm", httpRpcUrl: url, additionalData: { esploraCompatibleApiUrl: url } },
    balanceOf: async (account, currency) => (await load()).balanceOf(account, currency),
    depositData: async (deposit) => (await load()).depositData(deposit),
    depositAddress: depositAddressOf,
    pay: async (payment, db) => (await load()).pay(payment, db),
    fund: async (account, currency, amount) => (await load()).fund(account, currency, amount),
    hasTransaction: async (hash) => (await load()).hasTransaction(hash),
    close: () => server.close(),
  };
}

/** Derives a P2WPKH address for which no private key is known. */
function depositAddressOf(requestId: string): string {
  const hash: Hex = ripemd160(sha256(stringToBytes(`crosscall ${requestId}`)));
  return BITCOIN_CODEC.decodeAddress(`0x00${hash.slice(2)}`);
}
