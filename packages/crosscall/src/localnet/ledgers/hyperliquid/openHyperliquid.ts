import { chainFamilyOf } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { HYPERLIQUID_CODEC, HYPERLIQUID_TYPES, SEND_ASSET } from "@crosscall/protocol/vms";
import type { Ledger, LedgerArrival } from "../../market/ledger.ts";
import { HYPERLIQUID_CHAIN } from "../../market/simulatedChains.ts";
import type { LedgerParts } from "../ledgerParts.ts";
import { serveLedger } from "../serveLedger.ts";
import { respond } from "./api.ts";
import { Exchange, type Market, sendAsset } from "./exchange.ts";

const { id, depository, solver, currencies } = HYPERLIQUID_CHAIN;

/** Opens the Hyperliquid exchange of a network: dollars of accounts, and the API that wallets and oracles call. */
export async function openHyperliquid({ onArrival, names, clock, log }: LedgerParts): Promise<Ledger> {
  const exchange = new Exchange(clock);
  /** Request ids by wallet and nonce. */
  const links = new Map<string, string>();
  /** Transfers to the depository that are not linked to a request yet, by wallet and nonce. */
  const unlinked = new Map<string, Omit<LedgerArrival, "requestId">>();
  const payments = new Map<string, string>();

  const arrive = async (arrival: LedgerArrival): Promise<void> => {
    // The transfer is final, even if the service rejects the deposit.
    await onArrival(arrival).catch((error: unknown) => {
      const { requestId, txHash } = arrival;
      log.warn({ error, requestId, txHash }, "a deposit on Hyperliquid was not accepted");
    });
  };
  const server = await serveLedger({
    names,
    log,
    respond: (call) =>
      respond(
        {
          exchange,
          async onTransfer({ hash: txHash }, { sender: depositor, destination, target, amount, nonce }) {
            if (destination !== depository) return;
            const arrival = { txHash, depositor, currency: currencyOf(target), amount };
            const key = keyOf(depositor, nonce);
            const requestId = links.get(key);
            if (requestId === undefined) unlinked.set(key, arrival);
            else await arrive({ ...arrival, requestId });
          },
        },
        call,
      ),
  });

  return {
    url: server.url,
    oracleChain: { vmType: "hyperliquid-vm", httpRpcUrl: server.url },
    depositData({ currency, amount }) {
      const market = marketOf(currency);
      const nonce = exchange.nextNonce();
      const parameters = sendAsset({ destination: depository, source: market, target: market, amount, nonce });
      return Promise.resolve({
        action: { type: "sendAsset", parameters },
        nonce,
        eip712Types: { [SEND_ASSET]: HYPERLIQUID_TYPES[SEND_ASSET] },
        eip712PrimaryType: SEND_ASSET,
      });
    },
    async link({ requestId, wallet, nonce }) {
      const key = keyOf(wallet, nonce);
      const linked = links.get(key) ?? requestId;
      if (linked !== requestId) {
        throw new InvalidInputError({
          field: "nonce",
          value: nonce,
          reason: `is linked to request ${linked}`,
          hint: "Request a new quote, which has another nonce.",
        });
      }
      links.set(key, requestId);
      const arrival = unlinked.get(key);
      unlinked.delete(key);
      if (arrival !== undefined) await arrive({ ...arrival, requestId });
    },
    pay({ key, recipient, currency, amount }) {
      const paid = payments.get(key);
      if (paid !== undefined) return Promise.resolve(paid);
      const market = marketOf(currency);
      const destination = recipient.toLowerCase();
      const { hash } = exchange.pay({ sender: solver, destination, source: market, target: market, amount });
      payments.set(key, hash);
      return Promise.resolve(hash);
    },
    hasTransaction: (hash) => Promise.resolve(exchange.transaction(hash.toLowerCase()) !== undefined),
    fund(account, currency, amount) {
      exchange.fund(chainFamilyOf(id).parseAccount(account, "address").toLowerCase(), marketOf(currency), amount);
      return Promise.resolve();
    },
    close: () => server.close(),
  };
}

function keyOf(wallet: string, nonce: number): string {
  return `${wallet.toLowerCase()} ${nonce}`;
}

/** Returns a currency's market: perpetuals for the native currency, and spot for the token. */
function marketOf(currency: string): Market {
  return currency === HYPERLIQUID_CODEC.nativeCurrency ? "" : "spot";
}

function currencyOf(market: Market): string {
  const found = currencies.find(({ currency: { address } }) => marketOf(address) === market);
  return found?.currency.address ?? HYPERLIQUID_CODEC.nativeCurrency;
}
