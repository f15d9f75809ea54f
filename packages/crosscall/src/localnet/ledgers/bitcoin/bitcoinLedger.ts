import { RawTx } from "@scure/btc-signer";
import { bytesToHex, bytesToString, type Hex, hexToBytes } from "viem";

import { InvalidInputError, unixSeconds } from "@crosscall/protocol/core";
import { BITCOIN_CODEC } from "@crosscall/protocol/vms";
import type { Ledger } from "../../market/ledger.ts";
import { BITCOIN_CHAIN } from "../../market/simulatedChains.ts";
import { findRequestAtAddress, findRequestByOrderId } from "../../store/requests/requests.ts";
import type { StoreTransaction } from "../../store/schema.ts";
import { LedgerLog } from "../ledgerLog.ts";
import type { LedgerParts } from "../ledgerParts.ts";
import { reportArrival } from "../reportArrival.ts";
import type { LedgerCall, LedgerResponse } from "../serveLedger.ts";
import { checkBroadcast } from "./broadcast.ts";
import { type BitcoinChain, createChain, type IncludedTransaction } from "./chain.ts";
import { buildPsbt, FEE_RATE, scriptOf, textOutput } from "./depositPsbt.ts";
import { addressOf, respondEsplora } from "./esplora.ts";

/** Address that the published SDK uses for quotes without a wallet. It has coins. */
const QUOTING_ADDRESS = "34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo";
const QUOTING_FUNDS = 100_000_000_000n;

/** Maximum size of the solver's payments, in virtual bytes. */
const PAYMENT_SIZE = 300n;

const MAX_MONEY = 2_100_000_000_000_000n;

const FINAL_SEQUENCE = 0xffff_ffff;

export type BitcoinLedger = Required<Pick<Ledger, "balanceOf" | "depositData" | "fund" | "hasTransaction" | "pay">> & {
  respond(call: LedgerCall): Promise<LedgerResponse>;
};

/** A change of the chain, with the time of its block in Unix seconds. */
type BitcoinEntry =
  /** Creates coins. The script is hex with 0x, the amount is decimal, in satoshis. */
  | { readonly type: "mint"; readonly time: number; readonly script: Hex; readonly amount: string }
  /** Includes a transaction in hex with 0x. The key is that of a payment of the solver. */
  | { readonly type: "include"; readonly time: number; readonly hex: Hex; readonly key?: string };

interface BitcoinState {
  readonly chain: BitcoinChain;
  /** Transaction ids of the solver's payments, by payment key. */
  readonly paid: Map<string, string>;
}

function apply({ chain, paid }: BitcoinState, entry: BitcoinEntry): IncludedTransaction {
  const { time } = entry;
  if (entry.type === "mint")
    return chain.mint({ script: hexToBytes(entry.script), amount: BigInt(entry.amount) }, time);
  const included = chain.include(RawTx.decode(hexToBytes(entry.hex)), time);
  if (entry.key !== undefined) paid.set(entry.key, included.txid);
  return included;
}

/**
 * Creates a Bitcoin ledger. Each transaction has its own block. The solver's payments are not signed, because its key is
 * not known.
 */
export function createBitcoinLedger({ db, onArrival, clock, log }: LedgerParts): BitcoinLedger {
  const entries = new LedgerLog<BitcoinState, BitcoinEntry, IncludedTransaction>({
    db,
    chainId: BITCOIN_CHAIN.id,
    create: () => ({
      chain: createChain({ script: scriptOf(QUOTING_ADDRESS), amount: QUOTING_FUNDS }),
      paid: new Map(),
    }),
    apply,
  });
  const depository = scriptOf(BITCOIN_CHAIN.depository);
  const solver = scriptOf(BITCOIN_CHAIN.solver);

  /** Finds the request that an output pays. */
  const findPaid = async (script: Uint8Array, order: string | undefined, at: StoreTransaction) => {
    const address = addressOf(script);
    const found = isSame(script, depository)
      ? await findRequestByOrderId(at, order ?? "")
      : address === undefined
        ? undefined
        : await findRequestAtAddress(at, address);
    return found?.origin_chain_id === BITCOIN_CHAIN.id ? found.id : undefined;
  };

  const report = async (included: IncludedTransaction, at: StoreTransaction): Promise<void> => {
    const { txid, raw, spent } = included;
    const payments = new Map<string, bigint>();
    const order = raw.outputs.map(({ script }) => namedOrder(script)).find((found) => found !== undefined);
    for (const { script, amount } of raw.outputs) {
      const requestId = await findPaid(script, order, at);
      if (requestId !== undefined) payments.set(requestId, (payments.get(requestId) ?? 0n) + amount);
      else if (isSame(script, depository)) log.warn({ txid, order }, "a Bitcoin deposit contains no quoted order's id");
    }
    // Coins from the faucet have no payer.
    const depositor = spent.map(({ script }) => addressOf(script)).find((address) => address !== undefined);
    const from = depositor === undefined ? {} : { depositor };
    for (const [requestId, amount] of payments) {
      const arrival = { requestId, txHash: txid, ...from, currency: BITCOIN_CODEC.nativeCurrency, amount };
      await reportArrival({ onArrival, log }, arrival, at);
    }
  };

  const broadcast = (hex: string): Promise<LedgerResponse> =>
    entries.write(async ({ state: { chain }, db: at, add }) => {
      const checked = checkBroadcast(chain, hex);
      if (checked.kind === "invalid") {
        return { status: 400, body: `sendrawtransaction RPC error: ${JSON.stringify(checked.fault)}` };
      }
      const bytes = bytesToHex(RawTx.encode(checked.raw));
      const included = await add({ type: "include", time: unixSeconds(clock), hex: bytes });
      await report(included, at);
      return { status: 200, body: included.txid };
    });

  return {
    respond: async (call) =>
      call.method === "POST" && call.path === "/tx"
        ? broadcast(call.body)
        : respondEsplora((await entries.read()).chain, call),
    async balanceOf(account) {
      const { chain } = await entries.read();
      return chain.unspentOf(scriptOf(account)).reduce((sum, { amount }) => sum + amount, 0n);
    },
    async depositData({ user, amount, orderId, publicKey }) {
      const outputs = [{ script: depository, amount }, textOutput(orderId)];
      return { psbt: buildPsbt((await entries.read()).chain, { user, publicKey, outputs }) };
    },
    pay: ({ key, recipient, amount, orderId }, transaction) =>
      entries.write(async ({ state: { paid }, db: at, add }) => {
        const known = paid.get(key);
        if (known !== undefined) return known;
        const time = unixSeconds(clock);
        const coins = (amount + FEE_RATE * PAYMENT_SIZE).toString();
        const source = await add({ type: "mint", time, script: bytesToHex(solver), amount: coins });
        const raw = {
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
        };
        const included = await add({ type: "include", time, hex: bytesToHex(RawTx.encode(raw)), key });
        await report(included, at);
        return included.txid;
      }, transaction),
    async fund(account, _currency, amount) {
      if (amount <= 0n || amount > MAX_MONEY) {
        const reason = `must be between 1 and ${MAX_MONEY} satoshis`;
        throw new InvalidInputError({ field: "amount", value: amount, reason, hint: "Pass another amount." });
      }
      const script = bytesToHex(scriptOf(account));
      await entries.write(async ({ db: at, add }) => {
        const time = unixSeconds(clock);
        await report(await add({ type: "mint", time, script, amount: amount.toString() }), at);
      });
    },
    hasTransaction: async (hash) => (await entries.read()).chain.transactions.has(hash),
  };
}

function isSame(script: Uint8Array, other: Uint8Array): boolean {
  return bytesToHex(script) === bytesToHex(other);
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
