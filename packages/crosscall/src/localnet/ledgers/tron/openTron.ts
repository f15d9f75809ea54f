import type { Ledger } from "../../market/ledger.ts";
import type { LedgerParts } from "../ledgerParts.ts";
import { serveLedger } from "../serveLedger.ts";
import type { TronLedger } from "./tronLedger.ts";

/** Opens the API of a Tron ledger. Loads the ledger itself on first use. */
export async function openTron(parts: LedgerParts): Promise<Ledger> {
  let loading: Promise<TronLedger> | undefined;
  const load = (): Promise<TronLedger> => {
    loading ??= import("./tronLedger.ts").then(({ createTronLedger }) => createTronLedger(parts));
    return loading;
  };
  const { names, log } = parts;
  const server = await serveLedger({ names, log, respond: async (call) => (await load()).respond(call) });
  return {
    url: server.url,
    oracleChain: { vmType: "tron-vm", httpRpcUrl: `${server.url}/jsonrpc` },
    balanceOf: async (account, currency) => (await load()).balanceOf(account, currency),
    approvalData: async (deposit) => (await load()).approvalData(deposit),
    depositData: async (deposit) => (await load()).depositData(deposit),
    pay: async (payment, db) => (await load()).pay(payment, db),
    fund: async (account, currency, amount) => (await load()).fund(account, currency, amount),
    hasTransaction: async (hash) => (await load()).hasTransaction(hash),
    close: () => server.close(),
  };
}
