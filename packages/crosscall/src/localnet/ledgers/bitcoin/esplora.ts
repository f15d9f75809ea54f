import { Address, OutScript, Script } from "@scure/btc-signer";
import { bytesToHex } from "viem";

import { InvalidInputError } from "@crosscall/protocol/core";
import type { LedgerCall, LedgerResponse } from "../serveLedger.ts";
import {
  type BitcoinChain,
  type Block,
  BLOCK_HEADER,
  headerOf,
  type IncludedTransaction,
  isCoinbase,
  outpointOf,
  weightOf,
} from "./chain.ts";
import { FEE_RATE, scriptOf } from "./depositPsbt.ts";
import type { Output } from "./signatures.ts";

/** Transactions and blocks per page. */
const PAGE = 25;
const BLOCKS_PAGE = 10;

const NOT_FOUND: LedgerResponse = { status: 404, body: "Not Found" };

type Route = readonly [path: RegExp, read: (chain: BitcoinChain, ...parts: readonly (string | undefined)[]) => unknown];

/** Routes that Blockstream and mempool.space share, and the fee routes of mempool.space. */
const ROUTES: readonly Route[] = [
  [/^\/tx\/([0-9a-f]{64})$/u, (chain, id) => mapTransaction(chain, id, (found) => toTransaction(found))],
  [/^\/tx\/([0-9a-f]{64})\/status$/u, (chain, id) => mapTransaction(chain, id, toStatus) ?? { confirmed: false }],
  [/^\/tx\/([0-9a-f]{64})\/hex$/u, (chain, id) => mapTransaction(chain, id, ({ bytes }) => toHex(bytes))],
  [/^\/tx\/([0-9a-f]{64})\/outspend\/(\d+)$/u, (chain, id = "", vout) => toOutspend(chain, id, Number(vout))],
  [
    /^\/tx\/([0-9a-f]{64})\/outspends$/u,
    (chain, id = "") =>
      mapTransaction(chain, id, ({ raw }) => raw.outputs.map((_, vout) => toOutspend(chain, id, vout))),
  ],
  [/^\/address\/([a-zA-Z0-9]+)$/u, (chain, address = "") => toStatistics(chain, address)],
  [/^\/address\/([a-zA-Z0-9]+)\/utxo$/u, (chain, address = "") => toUnspent(chain, address)],
  [/^\/address\/([a-zA-Z0-9]+)\/txs(?:\/chain)?$/u, (chain, address = "") => toPage(chain, address, undefined)],
  [
    /^\/address\/([a-zA-Z0-9]+)\/txs\/chain\/([0-9a-f]{64})$/u,
    (chain, address = "", last) => toPage(chain, address, last),
  ],
  [/^\/address\/([a-zA-Z0-9]+)\/txs\/mempool$/u, () => []],
  [/^\/blocks\/tip\/height$/u, (chain) => `${chain.tip().height}`],
  [/^\/blocks\/tip\/hash$/u, (chain) => chain.tip().hash],
  [/^\/blocks(?:\/(\d+))?$/u, (chain, height) => toBlocks(chain, Number(height ?? chain.tip().height))],
  [/^\/block-height\/(\d+)$/u, (chain, height) => chain.blocks[Number(height)]?.hash],
  [/^\/block\/([0-9a-f]{64})$/u, (chain, hash) => mapBlock(chain, hash, toBlock)],
  [/^\/block\/([0-9a-f]{64})\/header$/u, (chain, hash) => mapBlock(chain, hash, (block) => toHex(headerOf(block)))],
  [/^\/block\/([0-9a-f]{64})\/txids$/u, (chain, hash) => mapBlock(chain, hash, (block) => [block.transaction.txid])],
  [
    /^\/fee-estimates$/u,
    () => Object.fromEntries([1, 2, 3, 6, 10, 25, 144, 504, 1008].map((blocks) => [blocks, Number(FEE_RATE)])),
  ],
  [
    /^\/v1\/fees\/recommended$/u,
    () => {
      const rate = Number(FEE_RATE);
      return { fastestFee: rate, halfHourFee: rate, hourFee: rate, economyFee: 1, minimumFee: 1 };
    },
  ],
];

/** Responds to a request that only reads. */
export function respondEsplora(chain: BitcoinChain, { method, path }: LedgerCall): LedgerResponse {
  if (method !== "GET") return { status: 405, body: "Method Not Allowed" };
  for (const [pattern, read] of ROUTES) {
    const [matched, ...parts] = pattern.exec(path) ?? [];
    if (matched === undefined) continue;
    try {
      const body = read(chain, ...parts);
      if (body !== undefined) return { status: 200, body };
      return path.startsWith("/tx/") ? { status: 404, body: "Transaction not found" } : NOT_FOUND;
    } catch (error) {
      if (error instanceof InvalidInputError) return { status: 400, body: "Invalid Bitcoin address" };
      throw error;
    }
  }
  return NOT_FOUND;
}

/** Returns a script's address, or undefined if the script has none. */
export function addressOf(script: Uint8Array): string | undefined {
  try {
    return Address().encode(OutScript.decode(script));
  } catch {
    return undefined;
  }
}

function mapTransaction<Mapped>(
  { transactions }: BitcoinChain,
  txid: string | undefined,
  map: (transaction: IncludedTransaction) => Mapped,
): Mapped | undefined {
  const found = transactions.get(txid ?? "");
  return found && map(found);
}

function mapBlock<Mapped>(
  { blocks }: BitcoinChain,
  hash: string | undefined,
  map: (block: Block) => Mapped,
): Mapped | undefined {
  const found = blocks.find((block) => block.hash === hash);
  return found && map(found);
}

function toStatus({ block: { height, hash, time } }: IncludedTransaction) {
  return { confirmed: true, block_height: height, block_hash: hash, block_time: time };
}

function toTransaction(transaction: IncludedTransaction) {
  const { txid, raw, bytes, spent } = transaction;
  const isCreating = isCoinbase(raw);
  const total = (outputs: readonly Output[]): number => outputs.reduce((sum, { amount }) => sum + Number(amount), 0);
  return {
    txid,
    version: raw.version,
    locktime: raw.lockTime,
    vin: raw.inputs.map((input, index) => {
      const prevout = spent[index];
      return {
        ...outpointOf(input),
        prevout: prevout === undefined ? null : toOutput(prevout),
        scriptsig: toHex(input.finalScriptSig),
        scriptsig_asm: toAsm(input.finalScriptSig),
        witness: (raw.witnesses?.[index] ?? []).map(toHex),
        is_coinbase: isCreating,
        sequence: input.sequence,
      };
    }),
    vout: raw.outputs.map(toOutput),
    size: bytes.length,
    weight: weightOf(raw),
    fee: isCreating ? 0 : total(spent) - total(raw.outputs),
    status: toStatus(transaction),
  };
}

/** Explorer names of script types. */
const SCRIPT_TYPES: Readonly<Record<string, string>> = {
  pkh: "p2pkh",
  sh: "p2sh",
  wpkh: "v0_p2wpkh",
  wsh: "v0_p2wsh",
  tr: "v1_p2tr",
};

function toOutput({ script, amount }: Output) {
  const address = addressOf(script);
  const type = address === undefined ? "unknown" : (SCRIPT_TYPES[OutScript.decode(script).type] ?? "unknown");
  return {
    scriptpubkey: toHex(script),
    scriptpubkey_asm: toAsm(script),
    scriptpubkey_type: script[0] === 0x6a ? "op_return" : type,
    ...(address === undefined ? {} : { scriptpubkey_address: address }),
    value: Number(amount),
  };
}

function toAsm(script: Uint8Array): string {
  try {
    const words = Script.decode(script).map((part) =>
      part instanceof Uint8Array ? `OP_PUSHBYTES_${part.length} ${toHex(part)}` : `OP_${part}`,
    );
    return words.join(" ");
  } catch {
    return "";
  }
}

function toOutspend(chain: BitcoinChain, txid: string, vout: number) {
  const spender = chain.findSpender(txid, vout);
  const transaction = spender && chain.transactions.get(spender.txid);
  return transaction === undefined ? { spent: false } : { spent: true, ...spender, status: toStatus(transaction) };
}

function toStatistics(chain: BitcoinChain, address: string) {
  const script = scriptOf(address);
  const transactions = chain.transactionsOf(script);
  const sumOf = (outputs: readonly Output[]) => {
    const own = outputs.filter((output) => toHex(output.script) === toHex(script));
    return { count: own.length, sum: own.reduce((sum, { amount }) => sum + Number(amount), 0) };
  };
  const funded = sumOf(transactions.flatMap(({ raw }) => raw.outputs));
  const spent = sumOf(transactions.flatMap((transaction) => transaction.spent));
  const none = { funded_txo_count: 0, funded_txo_sum: 0, spent_txo_count: 0, spent_txo_sum: 0, tx_count: 0 };
  return {
    address,
    chain_stats: {
      funded_txo_count: funded.count,
      funded_txo_sum: funded.sum,
      spent_txo_count: spent.count,
      spent_txo_sum: spent.sum,
      tx_count: transactions.length,
    },
    mempool_stats: none,
  };
}

function toUnspent(chain: BitcoinChain, address: string) {
  return chain.unspentOf(scriptOf(address)).map(({ txid, vout, amount }) => ({
    txid,
    vout,
    status: mapTransaction(chain, txid, toStatus),
    value: Number(amount),
  }));
}

/** Returns a page of transactions, newest first. */
function toPage(chain: BitcoinChain, address: string, last: string | undefined) {
  const all = chain.transactionsOf(scriptOf(address)).toReversed();
  const start = last === undefined ? 0 : all.findIndex(({ txid }) => txid === last) + 1;
  return all.slice(start, start + PAGE).map(toTransaction);
}

function toBlocks({ blocks }: BitcoinChain, height: number) {
  return blocks
    .slice(Math.max(0, height + 1 - BLOCKS_PAGE), height + 1)
    .toReversed()
    .map(toBlock);
}

function toBlock({ hash, height, previous, merkleRoot, time, transaction }: Block) {
  return {
    id: hash,
    height,
    ...BLOCK_HEADER,
    timestamp: time,
    mediantime: time,
    merkle_root: merkleRoot,
    previousblockhash: height === 0 ? null : previous,
    tx_count: 1,
    size: headerOf({ previous, merkleRoot, time }).length + 1 + transaction.bytes.length,
    difficulty: 0,
  };
}

function toHex(bytes: Uint8Array): string {
  return bytesToHex(bytes).slice(2);
}
