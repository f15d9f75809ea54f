import * as Type from "typebox";
import { Compile } from "typebox/compile";
import type { Hex } from "viem";

import { requireAttested } from "../../attestationRefusedError.ts";
import type { ChainRpc } from "../../rpc/chainRpc.ts";
import { rejectResponse } from "../../rpc/rpcErrors.ts";
import { type CreateReadCache, createReadFinal } from "../readFinal.ts";

export interface BitcoinOutput {
  /** In lower case. */
  readonly script: Hex;
  /** Satoshis. */
  readonly amount: bigint;
}

export interface BitcoinOutpoint {
  readonly txid: string;
  readonly vout: number;
}

/** Data with which an included transaction unlocks an output. */
export interface Unlocking {
  readonly scriptSig: Hex;
  readonly witness: readonly Hex[];
}

interface BitcoinBlock {
  readonly height: number;
  /** Time of the block in Unix seconds. */
  readonly time: number;
}

interface BitcoinTransaction {
  /** Spent outputs; empty for a coinbase transaction. */
  readonly inputs: readonly BitcoinOutpoint[];
  readonly outputs: readonly BitcoinOutput[];
  /** Undefined while unconfirmed. */
  readonly block: BitcoinBlock | undefined;
}

export interface BitcoinReader {
  /** Reads a confirmed transaction. Returns undefined if the chain does not have it. */
  transaction(txid: string): Promise<BitcoinTransaction | undefined>;
  /**
   * Reads the outputs of a confirmed or unconfirmed transaction. Returns undefined if the chain does not have it.
   */
  outputs(txid: string): Promise<readonly BitcoinOutput[] | undefined>;
  /** Reads the data that unlocks each input, in order. Returns undefined if the chain does not have the transaction. */
  unlockings(txid: string): Promise<readonly Unlocking[] | undefined>;
  /** Reads the state of an output, including spends in the mempool. */
  isSpent(output: BitcoinOutpoint): Promise<boolean>;
  height(): Promise<number>;
}

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const txid = Type.String({ pattern: "^[0-9a-f]{64}$" });
const script = Type.String({ pattern: "^(?:[0-9a-fA-F]{2})*$" });
const outpoint = { txid: Type.Optional(txid), vout: Type.Optional(count) };
const witness = Type.Optional(Type.Array(script));

const coreCheck = Compile(
  Type.Object({
    transaction: Type.Object({
      txid,
      vin: Type.Array(
        Type.Object({
          ...outpoint,
          coinbase: Type.Optional(Type.String()),
          scriptSig: Type.Optional(Type.Object({ hex: script })),
          txinwitness: witness,
        }),
      ),
      vout: Type.Array(Type.Object({ value: Type.Number({ minimum: 0 }), scriptPubKey: Type.Object({ hex: script }) })),
    }),
    header: Type.Union([Type.Null(), Type.Object({ confirmations: Type.Integer(), height: count, time: count })]),
  }),
);
const esploraCheck = Compile(
  Type.Object({
    txid,
    vin: Type.Array(
      Type.Object({
        ...outpoint,
        is_coinbase: Type.Optional(Type.Boolean()),
        scriptsig: Type.Optional(script),
        witness,
      }),
    ),
    vout: Type.Array(Type.Object({ value: count, scriptpubkey: script })),
    status: Type.Object({
      confirmed: Type.Boolean(),
      block_height: Type.Optional(count),
      block_time: Type.Optional(count),
    }),
  }),
);
const countCheck = Compile(count);
const coreUnspentCheck = Compile(Type.Object({ value: Type.Number(), scriptPubKey: Type.Object({ hex: script }) }));
const outspendCheck = Compile(Type.Object({ spent: Type.Boolean() }));
const spenderCheck = Compile(Type.Object({ txid, status: Type.Object({ confirmed: Type.Literal(true) }) }));

/** Combines nodes and block explorers. */
export function createBitcoinReader(rpc: ChainRpc): BitcoinReader {
  return {
    transaction: (id) => rpc.read("transaction", [id], (answer) => parseTransaction(answer, id)),
    outputs: (id) => rpc.read("outputs", [id], (answer) => parseTransaction(answer, id)?.outputs),
    unlockings: (id) => rpc.read("outputs", [id], (answer) => parseUnlockings(answer, id)),
    isSpent: ({ txid: id, vout }) => rpc.read("outspend", [id, vout], parseSpent),
    height: () =>
      rpc.readHeight(
        "height",
        [],
        (answer) => (countCheck.Check(answer) ? answer : rejectResponse("no height")),
        (height) => [height],
      ),
  };
}

function parseTransaction(answer: unknown, id: string): BitcoinTransaction | undefined {
  if (answer === null) return undefined;
  if (coreCheck.Check(answer)) {
    const { transaction, header } = answer;
    if (transaction.txid !== id) return rejectResponse("another transaction");
    return {
      inputs: toOutpoints(transaction.vin),
      outputs: transaction.vout.map(({ value, scriptPubKey }) => ({
        script: toScript(scriptPubKey.hex),
        // The node's decimals are exact, because the total supply is below 2^53 satoshis.
        amount: BigInt(Math.round(value * 1e8)),
      })),
      // An orphaned block has negative confirmations.
      block: header === null || header.confirmations < 1 ? undefined : { height: header.height, time: header.time },
    };
  }
  if (!esploraCheck.Check(answer) || answer.txid !== id) return rejectResponse("the transaction does not match");
  const { confirmed, block_height: height, block_time: time } = answer.status;
  return {
    inputs: toOutpoints(answer.vin),
    outputs: answer.vout.map(({ value, scriptpubkey }) => ({ script: toScript(scriptpubkey), amount: BigInt(value) })),
    block: confirmed && height !== undefined && time !== undefined ? { height, time } : undefined,
  };
}

/**
 * Parses the confirmed transaction that spends an output. The caller must check it in the same way as a transaction
 * from a request.
 */
export function parseSpender(answer: unknown): string | undefined {
  return spenderCheck.Check(answer) ? answer.txid : undefined;
}

/** Parses the state of an output. A node has only unspent outputs, and an explorer has the state of each output. */
function parseSpent(answer: unknown): boolean {
  if (answer === null) return true;
  if (outspendCheck.Check(answer)) return answer.spent;
  return coreUnspentCheck.Check(answer) ? false : rejectResponse("not the state of an output");
}

function parseUnlockings(answer: unknown, id: string): readonly Unlocking[] | undefined {
  if (answer === null) return undefined;
  if (coreCheck.Check(answer) && answer.transaction.txid === id) {
    return answer.transaction.vin.map(({ scriptSig, txinwitness }) => toUnlocking(scriptSig?.hex, txinwitness));
  }
  if (!esploraCheck.Check(answer) || answer.txid !== id) return rejectResponse("the transaction does not match");
  return answer.vin.map(({ scriptsig, witness: items }) => toUnlocking(scriptsig, items));
}

function toUnlocking(scriptSig = "", items: readonly string[] = []): Unlocking {
  return { scriptSig: toScript(scriptSig), witness: items.map(toScript) };
}

function toOutpoints(
  inputs: readonly {
    readonly txid?: string;
    readonly vout?: number;
    readonly coinbase?: string;
    readonly is_coinbase?: boolean;
  }[],
): readonly BitcoinOutpoint[] {
  return inputs.flatMap(({ txid: spent, vout, coinbase, is_coinbase: isCoinbase }) => {
    if (coinbase !== undefined || isCoinbase === true) return [];
    return spent === undefined || vout === undefined
      ? rejectResponse("an input without a spent output")
      : [{ txid: spent, vout }];
  });
}

function toScript(hex: string): Hex {
  return `0x${hex.toLowerCase()}`;
}

interface FinalTransaction extends BitcoinTransaction {
  readonly block: BitcoinBlock;
}

export interface BitcoinTransactions {
  /**
   * Reads a final transaction. Returns undefined if the chain does not have it.
   *
   * @throws {@link AttestationRefusedError} if the transaction is not final
   */
  read(txid: string): Promise<FinalTransaction | undefined>;
  /**
   * Returns the spent outputs in the order of the inputs.
   *
   * @throws {@link AttestationRefusedError} if the chain does not have one of them
   */
  readSpent(transaction: BitcoinTransaction): Promise<readonly BitcoinOutput[]>;
}

/** @param confirmations required number of confirmations, including the transaction's own block */
export function createBitcoinTransactions(
  reader: BitcoinReader,
  confirmations: number,
  createCache: CreateReadCache,
): BitcoinTransactions {
  const readFinal = createReadFinal<string, FinalTransaction>(createCache);
  const created = createCache<string, readonly BitcoinOutput[]>();

  const readOutputs = async (txid: string): Promise<readonly BitcoinOutput[]> => {
    const outputs = created.get(txid) ?? (await reader.outputs(txid));
    requireAttested(outputs !== undefined, `Missing input transaction ${txid}`);
    created.set(txid, outputs);
    return outputs;
  };

  return {
    read: (txid) =>
      readFinal(txid, async () => {
        const [transaction, height] = await Promise.all([reader.transaction(txid), reader.height()]);
        if (transaction === undefined) return undefined;
        const { block } = transaction;
        const isFinal = block !== undefined && height - block.height + 1 >= confirmations;
        requireAttested(isFinal, `Transaction ${txid} is not finalized`);
        return { found: { ...transaction, block }, isFinal };
      }),
    readSpent: ({ inputs }) =>
      Promise.all(
        inputs.map(async ({ txid, vout }) => {
          const output = (await readOutputs(txid))[vout];
          requireAttested(output !== undefined, `Missing input prevout ${txid}:${vout}`);
          return output;
        }),
      ),
  };
}
