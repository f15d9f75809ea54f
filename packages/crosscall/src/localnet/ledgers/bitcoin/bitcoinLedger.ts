import { bytesToHex, bytesToString, hexToBytes } from "viem";

import { InvalidInputError } from "@crosscall/protocol/core";
import { BITCOIN_CODEC } from "@crosscall/protocol/vms";
import type { Ledger, LedgerDeposit, LedgerPayment } from "../../market/ledger.ts";
import { BITCOIN_CHAIN } from "../../market/simulatedChains.ts";
import type { LedgerParts } from "../ledgerParts.ts";
import type { LedgerCall, LedgerResponse } from "../serveLedger.ts";
import { checkBroadcast } from "./broadcast.ts";
import { createChain, type IncludedTransaction } from "./chain.ts";
import { buildPsbt, FEE_RATE, scriptOf, textOutput } from "./depositPsbt.ts";
import { addressOf, respondEsplora } from "./esplora.ts";

/** Address that the published SDK uses for quotes without a wallet. It has coins. */
const QUOTING_ADDRESS = "34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo";
const QUOTING_FUNDS = 100_000_000_000n;

/** Maximum size of the solver's payments, in virtual bytes. */
const PAYMENT_SIZE = 300n;

const MAX_MONEY = 2_100_000_000_000_000n;

const FINAL_SEQUENCE = 0xffff_ffff;

export interface BitcoinLedger extends Pick<Ledger, "fund"> {
  /** Returns the balance in satoshis. */
  balanceOf(account: string): bigint;
  depositData(deposit: LedgerDeposit): { readonly psbt: string };
  pay(payment: LedgerPayment): string;
  hasTransaction(hash: string): boolean;
  respond(call: LedgerCall): Promise<LedgerResponse>;
}

/**
 * Creates a Bitcoin ledger in memory. Each transaction has its own block. The solver's payments are not signed, because
 * its key is not known.
 *
 * @param depositAddresses request ids by deposit address
 */
export function createBitcoinLedger(
  { onArrival, clock, log }: LedgerParts,
  depositAddresses: ReadonlyMap<string, string>,
): BitcoinLedger {
  const chain = createChain(clock, { script: scriptOf(QUOTING_ADDRESS), amount: QUOTING_FUNDS });
  const depository = scriptOf(BITCOIN_CHAIN.depository);
  const solver = scriptOf(BITCOIN_CHAIN.solver);
  /** Request ids by order id. */
  const orders = new Map<string, string>();
  /** Transaction ids of the solver's payments, by payment key. */
  const paid = new Map<string, string>();

  const report = async ({ txid, raw: { outputs }, spent }: IncludedTransaction): Promise<void> => {
    const payments = new Map<string, bigint>();
    const order = outputs.map(({ script }) => namedOrder(script)).find((found) => found !== undefined);
    for (const { script, amount } of outputs) {
      const isDeposit = bytesToHex(script) === bytesToHex(depository);
      const requestId = isDeposit ? orders.get(order ?? "") : depositAddresses.get(addressOf(script) ?? "");
      if (requestId !== undefined) payments.set(requestId, (payments.get(requestId) ?? 0n) + amount);
      else if (isDeposit) log.warn({ txid, order }, "a Bitcoin deposit names no quoted order");
    }
    // Coins from the faucet have no payer.
    const depositor = spent.map(({ script }) => addressOf(script)).find((address) => address !== undefined);
    const from = depositor === undefined ? {} : { depositor };
    for (const [requestId, amount] of payments) {
      try {
        await onArrival({ requestId, txHash: txid, ...from, currency: BITCOIN_CODEC.nativeCurrency, amount });
      } catch (error) {
        log.warn({ requestId, txid, error }, "a Bitcoin payment could not be deposited");
      }
    }
  };

  const broadcast = async (hex: string): Promise<LedgerResponse> => {
    const checked = checkBroadcast(chain, hex);
    if (checked.kind === "invalid") {
      return { status: 400, body: `sendrawtransaction RPC error: ${JSON.stringify(checked.fault)}` };
    }
    const included = chain.include(checked.raw);
    await report(included);
    return { status: 200, body: included.txid };
  };

  const pay = ({ key, recipient, amount, orderId }: LedgerPayment): string => {
    const known = paid.get(key);
    if (known !== undefined) return known;
    const source = chain.mint({ script: solver, amount: amount + FEE_RATE * PAYMENT_SIZE });
    const included = chain.include({
      version: 2,
      segwitFlag: false,
      inputs: [
        {
          txid: hexToBytes(`0x${source.txid}`),
          index: 0,
          finalScriptSig: new Uint8Array(),
          sequence: FINAL_SEQUENCE,
        },
      ],
      outputs: [{ script: scriptOf(recipient, "recipient"), amount }, textOutput(orderId)],
      lockTime: 0,
    });
    paid.set(key, included.txid);
    // Not awaited, because the caller holds the database, which a deposit needs.
    void report(included);
    return included.txid;
  };

  return {
    respond: (call) =>
      call.method === "POST" && call.path === "/tx"
        ? broadcast(call.body)
        : Promise.resolve(respondEsplora(chain, call)),
    balanceOf: (account) => chain.unspentOf(scriptOf(account)).reduce((sum, { amount }) => sum + amount, 0n),
    depositData({ user, amount, requestId, orderId, publicKey }) {
      const outputs = [{ script: depository, amount }, textOutput(orderId)];
      const psbt = buildPsbt(chain, { user, publicKey, outputs });
      orders.set(orderId, requestId);
      return { psbt };
    },
    pay,
    async fund(account, _currency, amount) {
      if (amount <= 0n || amount > MAX_MONEY) {
        const reason = `must be between 1 and ${MAX_MONEY} satoshis`;
        throw new InvalidInputError({ field: "amount", value: amount, reason, hint: "Pass another amount." });
      }
      await report(chain.mint({ script: scriptOf(account), amount }));
    },
    hasTransaction: (hash) => chain.transactions.has(hash),
  };
}

const ORDER_ID = /^0x[0-9a-f]{64}/iu;

const OP_RETURN = 0x6a;
const OP_PUSHDATA1 = 0x4c;

/** Returns the order id at the start of the text in an output. */
function namedOrder(script: Uint8Array): string | undefined {
  if (script[0] !== OP_RETURN) return undefined;
  const text = bytesToString(script.subarray(script[1] === OP_PUSHDATA1 ? 3 : 2));
  return ORDER_ID.exec(text)?.[0].toLowerCase();
}
