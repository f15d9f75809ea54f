import { RawTx, Script } from "@scure/btc-signer";
import { concatBytes, sha256x2 } from "@scure/btc-signer/utils.js";
import { bytesToHex, hexToBytes, numberToBytes, stringToBytes } from "viem";

import type { Output, RawTransaction } from "./signatures.ts";

export interface Block {
  readonly height: number;
  readonly hash: string;
  readonly previous: string;
  readonly merkleRoot: string;
  /** Unix seconds. */
  readonly time: number;
  readonly transaction: IncludedTransaction;
}

export interface IncludedTransaction {
  readonly txid: string;
  readonly raw: RawTransaction;
  readonly bytes: Uint8Array;
  /** Outputs that the transaction spends, in the order of its inputs; empty for a coinbase. */
  readonly spent: readonly Output[];
  readonly block: Omit<Block, "transaction">;
}

export interface UnspentOutput extends Output {
  readonly txid: string;
  readonly vout: number;
}

export interface BitcoinChain {
  /** Blocks by height; never empty. */
  readonly blocks: readonly Block[];
  readonly transactions: ReadonlyMap<string, IncludedTransaction>;
  tip(): Block;
  findOutput(txid: string, vout: number): Output | undefined;
  /** Returns the id of the transaction that spends an output, and the index of its input. */
  findSpender(txid: string, vout: number): { readonly txid: string; readonly vin: number } | undefined;
  /** Returns the transactions that pay to or spend from a script, oldest first. */
  transactionsOf(script: Uint8Array): readonly IncludedTransaction[];
  unspentOf(script: Uint8Array): readonly UnspentOutput[];
  /**
   * Includes a transaction in its own block, without checks.
   *
   * @param time unix seconds; the previous block's time if that is later
   */
  include(raw: RawTransaction, time: number): IncludedTransaction;
  /** Creates coins in a coinbase transaction. They can be spent at once. */
  mint(output: Output, time: number): IncludedTransaction;
}

const NO_HASH = "0".repeat(64);
const COINBASE_INDEX = 0xffff_ffff;

/** Minimum difficulty, because blocks have no proof of work. */
const BITS = 0x207f_ffff;
export const BLOCK_HEADER = { version: 0x2000_0000, bits: BITS, nonce: 0 } as const;

/** Unix seconds of the first block, as on the live chain. The same in every process. */
const START = 1_231_006_505;

/** @param first the first block's output */
export function createChain(first: Output): BitcoinChain {
  const blocks: Block[] = [];
  const transactions = new Map<string, IncludedTransaction>();
  const spenders = new Map<string, { readonly txid: string; readonly vin: number }>();
  const byScript = new Map<string, IncludedTransaction[]>();

  const findOutput = (txid: string, vout: number): Output | undefined => transactions.get(txid)?.raw.outputs[vout];

  const include = (raw: RawTransaction, time: number): IncludedTransaction => {
    const txid = txidOf(raw);
    const outpoints = isCoinbase(raw) ? [] : raw.inputs.map(outpointOf);
    const spent = outpoints.flatMap((outpoint) => findOutput(outpoint.txid, outpoint.vout) ?? []);
    const previous = blocks.at(-1);
    const block = sealBlock(txid, previous, Math.max(time, previous?.time ?? 0));
    const transaction = { txid, raw, bytes: RawTx.encode(raw), spent, block };
    blocks.push({ ...block, transaction });
    transactions.set(txid, transaction);
    for (const [vin, outpoint] of outpoints.entries()) spenders.set(nameOf(outpoint), { txid, vin });
    for (const script of new Set([...spent, ...raw.outputs].map((output) => bytesToHex(output.script)))) {
      const known = byScript.get(script);
      if (known === undefined) byScript.set(script, [transaction]);
      else known.push(transaction);
    }
    return transaction;
  };

  const mint = (output: Output, time: number): IncludedTransaction => {
    const raw: RawTransaction = {
      version: 2,
      segwitFlag: false,
      inputs: [
        {
          txid: hexToBytes(`0x${NO_HASH}`),
          index: COINBASE_INDEX,
          // The height makes the transaction unique (BIP-34).
          finalScriptSig: Script.encode([numberToBytes(blocks.length, { size: 4 }), stringToBytes("crosscall")]),
          sequence: COINBASE_INDEX,
        },
      ],
      outputs: [output],
      lockTime: 0,
    };
    return include(raw, time);
  };

  const transactionsOf = (script: Uint8Array): readonly IncludedTransaction[] => byScript.get(bytesToHex(script)) ?? [];
  const genesis = mint(first, START);
  return {
    blocks,
    transactions,
    tip: () => blocks.at(-1) ?? { ...genesis.block, transaction: genesis },
    findOutput,
    findSpender: (txid, vout) => spenders.get(nameOf({ txid, vout })),
    transactionsOf,
    unspentOf: (script) =>
      transactionsOf(script).flatMap(({ txid, raw: { outputs } }) =>
        outputs.flatMap((output, vout) =>
          bytesToHex(output.script) === bytesToHex(script) && !spenders.has(nameOf({ txid, vout }))
            ? [{ ...output, txid, vout }]
            : [],
        ),
      ),
    include,
    mint,
  };
}

interface Outpoint {
  readonly txid: string;
  readonly vout: number;
}

export function outpointOf({ txid, index }: RawTransaction["inputs"][number]): Outpoint {
  return { txid: bytesToHex(txid).slice(2), vout: index };
}

export function isCoinbase({ inputs }: RawTransaction): boolean {
  return inputs.some((input) => outpointOf(input).txid === NO_HASH);
}

/** Returns a transaction's id, which does not cover the witnesses. */
export function txidOf(raw: RawTransaction): string {
  return hashText(RawTx.encode({ ...raw, segwitFlag: false }));
}

/** Returns a transaction's weight. A witness byte counts as one unit, any other byte as four. */
export function weightOf(raw: RawTransaction): number {
  return 3 * RawTx.encode({ ...raw, segwitFlag: false }).length + RawTx.encode(raw).length;
}

function nameOf({ txid, vout }: Outpoint): string {
  return `${txid}:${vout}`;
}

/** Seals a block with one transaction, whose id is the Merkle root. */
function sealBlock(txid: string, previous: Block | undefined, time: number): Omit<Block, "transaction"> {
  const { hash = NO_HASH, height = -1 } = previous ?? {};
  const sealed = { height: height + 1, previous: hash, merkleRoot: txid, time };
  return { ...sealed, hash: hashText(headerOf(sealed)) };
}

export function headerOf({ previous, merkleRoot, time }: Pick<Block, "previous" | "merkleRoot" | "time">): Uint8Array {
  return concatBytes(
    littleEndian(BLOCK_HEADER.version),
    hexToBytes(`0x${previous}`).toReversed(),
    hexToBytes(`0x${merkleRoot}`).toReversed(),
    littleEndian(time),
    littleEndian(BITS),
    littleEndian(BLOCK_HEADER.nonce),
  );
}

function littleEndian(value: number): Uint8Array {
  return numberToBytes(value, { size: 4 }).toReversed();
}

/** Formats a double hash with its bytes reversed, as ids are shown. */
function hashText(bytes: Uint8Array): string {
  return bytesToHex(sha256x2(bytes).toReversed()).slice(2);
}
