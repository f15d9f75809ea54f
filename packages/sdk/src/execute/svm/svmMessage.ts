import { bytesToHex, concatBytes, hexToBytes } from "viem";

import { SOLANA_CODEC } from "@crosscall/protocol/vms";

// The binary format of transactions of version 0.

export interface SvmAccount {
  readonly pubkey: string;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

export interface SvmInstruction {
  readonly programId: string;
  readonly keys: readonly SvmAccount[];
  readonly data: Uint8Array;
}

/** Table on the chain, to whose addresses a transaction refers by their index. */
export interface LookupTable {
  readonly address: string;
  readonly addresses: readonly string[];
}

interface MessageParameters {
  readonly payer: string;
  readonly instructions: readonly SvmInstruction[];
  readonly tables: readonly LookupTable[];
  readonly blockhash: string;
}

const VERSION_0 = 0x80;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** Compiles the message that signers sign. Only accounts that neither sign nor run are taken from lookup tables. */
export function compileSvmMessage({ payer, instructions, tables, blockhash }: MessageParameters): Uint8Array {
  const uses = new Map([[payer, { isSigner: true, isWritable: true, runs: false }]]);
  const use = (pubkey: string, isSigner: boolean, isWritable: boolean, runs: boolean): void => {
    const known = uses.get(pubkey) ?? { isSigner, isWritable, runs };
    uses.set(pubkey, {
      isSigner: isSigner || known.isSigner,
      isWritable: isWritable || known.isWritable,
      runs: runs || known.runs,
    });
  };
  for (const { programId, keys } of instructions) {
    for (const { pubkey, isSigner, isWritable } of keys) use(pubkey, isSigner, isWritable, false);
    use(programId, false, false, true);
  }
  const lookups = tables.map((table): Lookup => ({ ...table, written: [], read: [] }));
  const own = [...uses].filter(([pubkey, { isSigner, isWritable, runs }]) => {
    const table = isSigner || runs ? undefined : lookups.find(({ addresses }) => addresses.includes(pubkey));
    (isWritable ? table?.written : table?.read)?.push(pubkey);
    return table === undefined;
  });
  const rank = ({ isSigner, isWritable }: Pick<SvmAccount, "isSigner" | "isWritable">): number =>
    (isSigner ? 0 : 2) + (isWritable ? 0 : 1);
  own.sort(([, a], [, b]) => rank(a) - rank(b));
  const countOf = (...ranks: readonly number[]): number => own.filter(([, how]) => ranks.includes(rank(how))).length;
  const used = lookups.filter(({ written, read }) => written.length + read.length > 0);
  const all = [
    ...own.map(([pubkey]) => pubkey),
    ...used.flatMap(({ written }) => written),
    ...used.flatMap(({ read }) => read),
  ];
  const positions = new Map(all.map((pubkey, index) => [pubkey, index]));
  const indexOf = (pubkey: string): number => positions.get(pubkey) ?? 0;
  return concatBytes([
    Uint8Array.of(VERSION_0, countOf(0, 1), countOf(1), countOf(3)),
    encodeList(own.map(([pubkey]) => keyBytes(pubkey))),
    keyBytes(blockhash),
    encodeList(
      instructions.map(({ programId, keys, data }) =>
        concatBytes([
          Uint8Array.of(indexOf(programId)),
          encodeBytes(keys.map(({ pubkey }) => indexOf(pubkey))),
          encodeBytes(data),
        ]),
      ),
    ),
    encodeList(
      used.map(({ address, addresses, written, read }) =>
        concatBytes([
          keyBytes(address),
          encodeBytes(written.map((pubkey) => addresses.indexOf(pubkey))),
          encodeBytes(read.map((pubkey) => addresses.indexOf(pubkey))),
        ]),
      ),
    ),
  ]);
}

interface Lookup extends LookupTable {
  readonly written: string[];
  readonly read: string[];
}

/** Adds signatures to a message. An unsigned transaction has signatures of zeros. */
export function encodeSvmTransaction(signatures: readonly Uint8Array[], message: Uint8Array): Uint8Array {
  return concatBytes([encodeList(signatures), message]);
}

export const NO_SIGNATURE = new Uint8Array(SIGNATURE_BYTES);

/**
 * Reads the parts that determine which transaction this is and until when it can be included.
 * @returns undefined if the bytes are not a transaction of version 0
 */
export function readSvmTransaction(transaction: Uint8Array) {
  // These counts take one byte, because transactions are small.
  const start = 1 + (transaction[0] ?? 0) * SIGNATURE_BYTES;
  const message = transaction.subarray(start);
  const keysAt = 5;
  const blockhashAt = keysAt + (message[keysAt - 1] ?? 0) * KEY_BYTES;
  if (start === 1 || message[0] !== VERSION_0 || message.length < blockhashAt + KEY_BYTES) return undefined;
  return {
    signature: SOLANA_CODEC.decodeTransactionId(bytesToHex(transaction.subarray(1, 1 + SIGNATURE_BYTES))),
    payer: keyAt(message, keysAt),
    blockhash: keyAt(message, blockhashAt),
  };
}

/** Reads the addresses of a lookup table. */
export function readLookupTable(data: Uint8Array): string[] {
  const HEADER_BYTES = 56;
  const count = Math.max(0, Math.floor((data.length - HEADER_BYTES) / KEY_BYTES));
  return Array.from({ length: count }, (_, index) => keyAt(data, HEADER_BYTES + index * KEY_BYTES));
}

function encodeList(items: readonly Uint8Array[]): Uint8Array {
  return concatBytes([encodeCount(items.length), ...items]);
}

function encodeBytes(bytes: ArrayLike<number>): Uint8Array {
  return concatBytes([encodeCount(bytes.length), Uint8Array.from(bytes)]);
}

/** Encodes a count in groups of 7 bits. */
function encodeCount(count: number): Uint8Array {
  return count < 0x80 ? Uint8Array.of(count) : Uint8Array.of((count & 0x7f) | 0x80, count >> 7);
}

function keyAt(bytes: Uint8Array, index: number): string {
  return SOLANA_CODEC.decodeAddress(bytesToHex(bytes.subarray(index, index + KEY_BYTES)));
}

function keyBytes(address: string): Uint8Array {
  return hexToBytes(SOLANA_CODEC.encodeAddress(address, "address"));
}
