import { hexToBytes, type Hex, isAddress } from "viem";

import { chainFamilyOf } from "@crosscall/protocol/chains";
import { lighterCurrency } from "@crosscall/protocol/vms";
import type { Ledger } from "../../market/ledger.ts";
import { EXCHANGE_CHAIN } from "../../market/simulatedChains.ts";
import type { LedgerParts } from "../ledgerParts.ts";
import { serveLedger } from "../serveLedger.ts";
import { respond } from "./api.ts";
import { LighterExchange, type Market, memoHex, PERPETUALS, SPOT, type Transaction } from "./exchange.ts";

const { id: chainId, depository, solver } = EXCHANGE_CHAIN;

/** Opens the Lighter exchange of a network: dollars of accounts, and the API that clients and oracles call. */
export async function openLighter({ onArrival, names, clock, log }: LedgerParts): Promise<Ledger> {
  const exchange = new LighterExchange(clock);
  /** Requests by request id and by order id, in lower case. */
  const requests = new Map<string, string>();
  const payments = new Map<string, string>();

  const onTransfer = async ({ hash: txHash, info }: Transaction): Promise<void> => {
    const { FromAccountIndex, ToAccountIndex, AssetIndex, ToRouteType, Amount, Memo } = info;
    const requestId = requests.get(memoHex(Memo));
    if (`${ToAccountIndex}` !== depository || requestId === undefined) return;
    const currency = lighterCurrency(AssetIndex, ToRouteType);
    try {
      const arrival = { requestId, txHash, depositor: `${FromAccountIndex}`, currency, amount: BigInt(Amount) };
      await onArrival(arrival);
    } catch (error) {
      // The transfer is final, even if the service rejects the deposit.
      log.warn({ error, requestId, txHash }, "a deposit on Lighter was not accepted");
    }
  };
  const server = await serveLedger({ names, log, respond: (call) => respond({ exchange, onTransfer }, call) });

  return {
    url: server.url,
    oracleChain: { vmType: "lighter-vm", httpRpcUrl: server.url },
    depositData({ requestId, orderId }) {
      for (const id of [requestId, orderId]) requests.set(id.toLowerCase(), requestId);
      return Promise.resolve(undefined);
    },
    pay({ key, recipient, currency, amount, orderId }) {
      const paid = payments.get(key);
      if (paid !== undefined) return Promise.resolve(paid);
      const memo = [...hexToBytes(orderId as Hex)];
      const { hash } = exchange.pay(Number(solver), Number(recipient), marketOf(currency), amount, memo);
      payments.set(key, hash);
      return Promise.resolve(hash);
    },
    /** An EVM address selects its account, which the exchange creates if needed. */
    fund(account, currency, amount) {
      const opened = isAddress(account, { strict: false })
        ? exchange.openOf(account)
        : exchange.open(Number(chainFamilyOf(chainId).parseAccount(account, "address")));
      opened.balances[marketOf(currency)] += amount;
      return Promise.resolve();
    },
    hasTransaction: (hash) => Promise.resolve(exchange.transaction(hash) !== undefined),
    close: () => server.close(),
  };
}

function marketOf(currency: string): Market {
  return currency === "0" ? PERPETUALS : SPOT;
}
