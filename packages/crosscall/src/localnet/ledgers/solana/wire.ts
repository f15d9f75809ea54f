import { base58 } from "@scure/base";

import { SOLANA_CODEC } from "@crosscall/protocol/vms";

// The binary format of transactions, in the legacy version and version 0.

/** Instruction whose accounts are positions in the transaction's list of accounts. */
export interface CompiledInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

/** Accounts of a lookup table that a transaction uses. */
export interface TableLookup {
  readonly accountKey: string;
  readonly writableIndexes: readonly number[];
  readonly readonlyIndexes: readonly number[];
}

export interface WireMessage {
  readonly version: "legacy" | 0;
  readonly requiredSignatures: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
  readonly accountKeys: readonly string[];
  readonly blockhash: string;
  readonly instructions: readonly CompiledInstruction[];
  readonly lookups: readonly TableLookup[];
}

export interface WireTransaction {
  readonly bytes: Uint8Array;
  readonly signatures: readonly Uint8Array[];
  readonly messageBytes: Uint8Array;
  readonly message: WireMessage;
}

/** Account of an instruction, before it is compiled. */
export interface AccountUse {
  readonly pubkey: string;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

export interface Instruction {
  readonly programId: string;
  readonly keys: readonly AccountUse[];
  readonly data: Uint8Array;
}

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const VERSION_FLAG = 0x80;

class Reader {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  take(length: number): Uint8Array {
    const taken = this.#bytes.subarray(this.at, this.at + length);
    if (taken.length < length) throw new RangeError("the data ends early");
    this.at += length;
    return taken;
  }

  byte(): number {
    return this.take(1)[0] ?? 0;
  }

  /** Reads a count of up to 16 bits, in groups of 7 bits. */
  count(): number {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("a count is too long");
  }

  list<Item>(read: () => Item): Item[] {
    return Array.from({ length: this.count() }, read);
  }

  key(): string {
    return base58.encode(this.take(KEY_BYTES));
  }

  indexes(): number[] {
    return [...this.take(this.count())];
  }
}

/** Returns undefined if the bytes are not exactly one transaction. */
export function decodeTransaction(bytes: Uint8Array): WireTransaction | undefined {
  try {
    const reader = new Reader(bytes);
    const signatures = reader.list(() => reader.take(SIGNATURE_BYTES));
    const messageBytes = bytes.subarray(reader.at);
    const message = decodeMessage(messageBytes);
    return message === undefined || signatures.length !== message.requiredSignatures
      ? undefined
      : { bytes, signatures, messageBytes, message };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns undefined if the bytes are not exactly one message. */
export function decodeMessage(bytes: Uint8Array): WireMessage | undefined {
  try {
    const message = readMessage(new Reader(bytes), bytes.length);
    return message !== undefined && isConsistent(message) ? message : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readMessage(reader: Reader, length: number): WireMessage | undefined {
  const first = reader.byte();
  const isVersioned = first >= VERSION_FLAG;
  if (isVersioned && first !== VERSION_FLAG) return undefined;
  const requiredSignatures = isVersioned ? reader.byte() : first;
  const [readonlySigned, readonlyUnsigned] = [reader.byte(), reader.byte()];
  const accountKeys = reader.list(() => reader.key());
  const blockhash = reader.key();
  const instructions = reader.list(() => ({
    programIdIndex: reader.byte(),
    accounts: reader.indexes(),
    data: reader.take(reader.count()),
  }));
  const lookups = isVersioned
    ? reader.list(() => ({
        accountKey: reader.key(),
        writableIndexes: reader.indexes(),
        readonlyIndexes: reader.indexes(),
      }))
    : [];
  if (reader.at !== length) return undefined;
  const version = isVersioned ? 0 : "legacy";
  const header = { requiredSignatures, readonlySigned, readonlyUnsigned };
  return { version, ...header, accountKeys, blockhash, instructions, lookups };
}

/** Returns whether all positions exist, as nodes require before they run a transaction. */
function isConsistent(message: WireMessage): boolean {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, accountKeys, instructions, lookups } = message;
  const loaded = lookups.flatMap(({ writableIndexes, readonlyIndexes }) => [...writableIndexes, ...readonlyIndexes]);
  const total = accountKeys.length + loaded.length;
  return (
    readonlySigned < requiredSignatures &&
    requiredSignatures + readonlyUnsigned <= accountKeys.length &&
    new Set(accountKeys).size === accountKeys.length &&
    instructions.every(
      ({ programIdIndex, accounts }) =>
        programIdIndex > 0 && programIdIndex < accountKeys.length && accounts.every((index) => index < total),
    )
  );
}

/** Returns whether a transaction can change the account at a position. Positions continue with loaded accounts. */
export function isWritable(message: WireMessage, index: number): boolean {
  const { requiredSignatures, readonlySigned, readonlyUnsigned, accountKeys, lookups } = message;
  if (index < requiredSignatures) return index < requiredSignatures - readonlySigned;
  if (index < accountKeys.length) return index < accountKeys.length - readonlyUnsigned;
  const writable = lookups.reduce((sum, { writableIndexes }) => sum + writableIndexes.length, 0);
  return index < accountKeys.length + writable;
}

/** @throws {@link InvalidInputError} if the text is not an address */
export function keyBytes(address: string, field = "address"): Buffer {
  return Buffer.from(SOLANA_CODEC.encodeAddress(address, field).slice(2), "hex");
}
