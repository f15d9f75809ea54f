import { chainFamilyOf } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { HYPERLIQUID_CODEC, HYPERLIQUID_TYPES, SEND_ASSET } from "@crosscall/protocol/vms";
import type { Ledger } from "../../market/ledger.ts";
import { HYPERLIQUID_CHAIN } from "../../market/simulatedChains.ts";
import type { StoreTransaction } from "../../store/schema.ts";
import { LedgerLog, resultOf } from "../ledgerLog.ts";
import type { LedgerParts } from "../ledgerParts.ts";
import { reportArrival } from "../reportArrival.ts";
import { serveLedger } from "../serveLedger.ts";
import { respond } from "./api.ts";
import {
  Exchange,
  type ExchangeEntry,
  type Market,
  sendAsset,
  type SentTransfer,
  type Transaction,
} from "./exchange.ts";

const { id, depository, solver, currencies } = HYPERLIQUID_CHAIN;

/** Opens the Hyperliquid exchange of a network: dollars of accounts, and the API that wallets and oracles call. */
export async function openHyperliquid({ db, onArrival, names, clock, log }: LedgerParts): Promise<Ledger> {
  const entries = new LedgerLog<Exchange, ExchangeEntry, Transaction | undefined>({
    db,
    chainId: id,
    create: () => new Exchange(),
    apply: (exchange, entry) => exchange.apply(entry),
  });
  let lastNonce = 0;
  /** Returns the current time in milliseconds, or a later time if needed for a unique nonce. */
  const nextNonce = (): number => {
    lastNonce = Math.max(lastNonce + 1, clock.now());
    return lastNonce;
  };

  const arrive = async (requestId: string, sent: SentTransfer, at: StoreTransaction): Promise<void> => {
    const { transaction, transfer } = sent;
    const { sender: depositor, target, amount } = transfer;
    const arrival = { requestId, txHash: transaction.hash, depositor, currency: currencyOf(target), amount };
    await reportArrival({ onArrival, log }, arrival, at);
  };
  const server = await serveLedger({
    names,
    log,
    respond: async (call) =>
      respond(
        {
          exchange: await entries.read(),
          now: clock.now(),
          submit: (transfer) =>
            entries.write(async ({ state, db: at, add }) => {
              const time = clock.now();
              const problem = state.findProblem(transfer, time);
              if (problem !== undefined) return problem;
              const { sender, destination, nonce, amount } = transfer;
              const entry = { type: "transfer", time, transfer: { ...transfer, amount: amount.toString() } } as const;
              const transaction = resultOf(await add(entry));
              const requestId = state.linkOf(sender, nonce);
              if (destination === depository && requestId !== undefined) {
                await arrive(requestId, { transaction, transfer }, at);
              }
              return undefined;
            }),
        },
        call,
      ),
  });

  return {
    url: server.url,
    oracleChain: { vmType: "hyperliquid-vm", httpRpcUrl: server.url },
    depositData({ currency, amount }) {
      const market = marketOf(currency);
      const nonce = nextNonce();
      const parameters = sendAsset({ destination: depository, source: market, target: market, amount, nonce });
      return Promise.resolve({
        action: { type: "sendAsset", parameters },
        nonce,
        eip712Types: { [SEND_ASSET]: HYPERLIQUID_TYPES[SEND_ASSET] },
        eip712PrimaryType: SEND_ASSET,
      });
    },
    link: ({ requestId, wallet, nonce }) =>
      entries.write(async ({ state, db: at, add }) => {
        const linked = state.linkOf(wallet, nonce);
        if (linked === requestId) return;
        if (linked !== undefined) {
          throw new InvalidInputError({
            field: "nonce",
            value: nonce,
            reason: `is linked to request ${linked}`,
            hint: "Request a new quote, which has a new nonce.",
          });
        }
        await add({ type: "link", wallet, nonce, requestId });
        const sent = state.transferOf(wallet, nonce);
        if (sent?.transfer.destination === depository) await arrive(requestId, sent, at);
      }),
    pay: ({ key, recipient, currency, amount }, at) =>
      entries.write(async ({ state, add }) => {
        const paid = state.payment(key);
        if (paid !== undefined) return paid.hash;
        const market = marketOf(currency);
        const nonce = nextNonce();
        const target = { destination: recipient.toLowerCase(), source: market, target: market };
        const action = {
          type: "sendAsset",
          signatureChainId: "0x1",
          ...sendAsset({ ...target, amount, nonce }),
        };
        const transfer = { sender: solver, ...target, amount: amount.toString(), nonce, action };
        return resultOf(await add({ type: "transfer", time: clock.now(), transfer, key })).hash;
      }, at),
    hasTransaction: async (hash) => (await entries.read()).transaction(hash.toLowerCase()) !== undefined,
    async fund(address, currency, amount) {
      const account = chainFamilyOf(id).parseAccount(address, "address").toLowerCase();
      const entry = { account, market: marketOf(currency), amount: amount.toString() };
      await entries.write(({ add }) => add({ type: "fund", time: clock.now(), ...entry }));
    },
    close: () => server.close(),
  };
}

/** Returns a currency's market: perpetuals for the native currency, and spot for the token. */
function marketOf(currency: string): Market {
  return currency === HYPERLIQUID_CODEC.nativeCurrency ? "" : "spot";
}

function currencyOf(market: Market): string {
  const found = currencies.find(({ currency: { address } }) => marketOf(address) === market);
  return found?.currency.address ?? HYPERLIQUID_CODEC.nativeCurrency;
}
