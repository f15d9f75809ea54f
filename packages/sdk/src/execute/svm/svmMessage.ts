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

/** Parts of a transaction of version 0. */
export interface ReadSvmTransaction {
  readonly signatures: readonly Uint8Array[];
  readonly message: Uint8Array;
  /** Accounts that must sign; the first one pays the fee. */
  readonly signers: readonly string[];
  readonly blockhash: string;
  readonly tables: readonly string[];
  /** Returns the instructions. Accounts of tables that are not passed are empty texts. */
  readonly instructions: (tables: readonly LookupTable[]) => readonly SvmInstruction[];
}

/**
 * Reads a transaction.
 *
 * @returns undefined if the bytes are not a transaction of version 0
 */
export function readSvmTransaction(transaction: Uint8Array): ReadSvmTransaction | undefined {
  const outer = new Reader(transaction);
  const signatures = outer.list(() => outer.bytes(SIGNATURE_BYTES));
  const message = outer.rest();
  const reader = new Reader(message);
  const version = reader.byte();
  const [required, readonlySigned, readonlyUnsigned] = [reader.byte(), reader.byte(), reader.byte()];
  const own = reader.list(() => reader.key());
  const blockhash = reader.key();
  const compiled = reader.list(() => ({
    program: reader.byte(),
    accounts: reader.byteList(),
    data: reader.byteList(),
  }));
  const lookups = reader.list(() => ({ address: reader.key(), written: reader.byteList(), read: reader.byteList() }));
  const isWhole = !outer.isShort && !reader.isShort && reader.rest().length === 0;
  if (!isWhole || version !== VERSION_0 || required === 0 || required > own.length || signatures.length !== required) {
    return undefined;
  }
  const isOwnWritable = (index: number): boolean =>
    index < required ? index < required - readonlySigned : index < own.length - readonlyUnsigned;
  return {
    signatures,
    message,
    signers: own.slice(0, required),
    blockhash,
    tables: lookups.map(({ address }) => address),
    instructions(tables) {
      const load = (kind: "written" | "read"): SvmAccount[] =>
        lookups.flatMap((lookup) => {
          const known = tables.find(({ address }) => address === lookup.address)?.addresses ?? [];
          const isWritable = kind === "written";
          return Array.from(lookup[kind], (at) => ({ pubkey: known[at] ?? "", isSigner: false, isWritable }));
        });
      const accounts = [
        ...own.map((pubkey, at) => ({ pubkey, isSigner: at < required, isWritable: isOwnWritable(at) })),
        ...load("written"),
        ...load("read"),
      ];
      const at = (index: number): SvmAccount => accounts[index] ?? { pubkey: "", isSigner: false, isWritable: false };
      return compiled.map(({ program, accounts: used, data }) => ({
        programId: at(program).pubkey,
        keys: Array.from(used, at),
        data,
      }));
    },
  };
}

/** Reads bytes. After the end, all bytes are zero. */
class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isShort(): boolean {
    return this.#at > this.#bytes.length;
  }

  byte(): number {
    return this.bytes(1)[0] ?? 0;
  }

  bytes(length: number): Uint8Array {
    this.#at += length;
    return this.#bytes.slice(this.#at - length, this.#at);
  }

  rest(): Uint8Array {
    return this.#bytes.slice(this.#at);
  }

  key(): string {
    return keyAt(this.bytes(KEY_BYTES), 0);
  }

  list<Item>(read: () => Item): Item[] {
    const items: Item[] = [];
    for (let left = this.#count(); left > 0 && !this.isShort; left -= 1) items.push(read());
    return items;
  }

  byteList(): Uint8Array {
    return this.bytes(this.#count());
  }

  /** Reads a count in groups of 7 bits. Transactions are too small for a third group. */
  #count(): number {
    const low = this.byte();
    return low < 0x80 ? low : (low & 0x7f) | (this.byte() << 7);
  }
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
