import { hexToBytes, type Hex, isAddress } from "viem";

import { chainFamilyOf } from "@crosscall/protocol/chains";
import { lighterCurrency } from "@crosscall/protocol/vms";
import type { Ledger } from "../../market/ledger.ts";
import { EXCHANGE_CHAIN } from "../../market/simulatedChains.ts";
import { findRequest, findRequestByOrderId } from "../../store/requests/requests.ts";
import type { StoreTransaction } from "../../store/schema.ts";
import { LedgerLog, resultOf } from "../ledgerLog.ts";
import type { LedgerParts } from "../ledgerParts.ts";
import { reportArrival } from "../reportArrival.ts";
import { serveLedger } from "../serveLedger.ts";
import { respond } from "./api.ts";
import {
  type LighterEntry,
  LighterExchange,
  type Market,
  memoHex,
  PERPETUALS,
  type Rejected,
  SPOT,
  type Transaction,
} from "./exchange.ts";

const { id: chainId, depository, solver } = EXCHANGE_CHAIN;

/** Opens the Lighter exchange of a network: dollars of accounts, and the API that clients and oracles call. */
export async function openLighter({ db, onArrival, names, clock, log }: LedgerParts): Promise<Ledger> {
  const entries = new LedgerLog<LighterExchange, LighterEntry, Transaction | undefined>({
    db,
    chainId,
    create: () => new LighterExchange(),
    apply: (exchange, entry) => exchange.apply(entry),
  });

  const report = async ({ hash: txHash, info }: Transaction, at: StoreTransaction): Promise<void> => {
    const { FromAccountIndex, ToAccountIndex, AssetIndex, ToRouteType, Amount, Memo } = info;
    if (`${ToAccountIndex}` !== depository) return;
    const memo = memoHex(Memo);
    const request = (await findRequest(at, memo)) ?? (await findRequestByOrderId(at, memo));
    if (request?.origin_chain_id !== chainId) return;
    const currency = lighterCurrency(AssetIndex, ToRouteType);
    const paid = { txHash, depositor: `${FromAccountIndex}`, currency, amount: BigInt(Amount) };
    await reportArrival({ onArrival, log }, { requestId: request.id, ...paid }, at);
  };
  const server = await serveLedger({
    names,
    log,
    respond: async (call) =>
      respond(
        {
          exchange: await entries.read(),
          submit: (info) =>
            entries.write(async ({ state, db: at, add }): Promise<Transaction | Rejected> => {
              const time = clock.now();
              const problem = await state.findProblem(info, time);
              if (problem !== undefined) return problem;
              const transaction = resultOf(await add({ type: "transfer", time, info }));
              await report(transaction, at);
              return transaction;
            }),
        },
        call,
      ),
  });

  return {
    url: server.url,
    oracleChain: { vmType: "lighter-vm", httpRpcUrl: server.url },
    depositData: () => Promise.resolve(undefined),
    pay: ({ key, recipient, currency, amount, orderId }, at) =>
      entries.write(async ({ state, add }) => {
        const paid = state.payment(key);
        if (paid !== undefined) return paid.hash;
        const memo = [...hexToBytes(orderId as Hex)];
        const time = clock.now();
        const payment = { from: Number(solver), to: Number(recipient), of: marketOf(currency), amount, memo };
        return resultOf(await add({ type: "transfer", time, info: state.buildPayment(payment, time), key })).hash;
      }, at),
    async fund(address, currency, amount) {
      const account = isAddress(address, { strict: false })
        ? address
        : chainFamilyOf(chainId).parseAccount(address, "address");
      const entry = { account, market: marketOf(currency), amount: amount.toString() };
      await entries.write(({ add }) => add({ type: "fund", ...entry }));
    },
    hasTransaction: async (hash) => (await entries.read()).transaction(hash) !== undefined,
    close: () => server.close(),
  };
}

function marketOf(currency: string): Market {
  return currency === "0" ? PERPETUALS : SPOT;
}
