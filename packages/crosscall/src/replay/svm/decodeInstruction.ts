import { base58 } from "@scure/base";
import { bytesToHex, type Hex, hexToBytes } from "viem";

import { type FieldType, findProgram, type KnownInstruction } from "./svmPrograms.ts";

export interface DecodedField {
  readonly name: string;
  readonly type: FieldType;
  /** Integer in decimal, address, bytes in hex, or text. An absent optional address is `none`. */
  readonly value: string;
}

export interface DecodedInstruction {
  readonly name: string;
  /** Lacks the fields after the end of the data. */
  readonly fields: readonly DecodedField[];
  /** Names of the accounts in their order. Further accounts have no name. */
  readonly accounts: readonly string[];
  /** Data after the fields. */
  readonly rest: Hex;
}

/** Longer data is not decoded, because base58 takes quadratic time. A transaction has at most 1,232 bytes. */
const MAX_CHARACTERS = 2_000;

/** Returns the data in hex; undefined if it is too long. */
export function decodeData(data: string): Hex | undefined {
  return data.length > MAX_CHARACTERS ? undefined : bytesToHex(base58.decode(data));
}

/** Returns undefined for an unknown program or instruction. */
export function decodeInstruction(program: string, data: Hex): DecodedInstruction | undefined {
  const known = findProgram(program)?.instructions.find(({ start, fields }) =>
    start === "" && fields.length === 0 ? data === "0x" : data.startsWith(`0x${start}`),
  );
  return known === undefined ? undefined : decode(known, hexToBytes(data));
}

function decode({ name, start, fields, accounts }: KnownInstruction, data: Uint8Array): DecodedInstruction {
  let at = start.length / 2;
  const decoded: DecodedField[] = [];
  for (const [fieldName, type] of fields) {
    const found = read(type, data.subarray(at));
    if (found === undefined) break;
    at += found.length;
    decoded.push({ name: fieldName, type, value: found.value });
  }
  const camelName = name.replaceAll(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase());
  return { name: camelName, fields: decoded, accounts, rest: bytesToHex(data.subarray(at)) };
}

interface Read {
  readonly value: string;
  readonly length: number;
}

const KEY_BYTES = 32;

/** Returns undefined if the data ends before the field does. */
function read(type: FieldType, data: Uint8Array): Read | undefined {
  switch (type) {
    case "u8":
      return readInteger(data, 1);
    case "u32":
      return readInteger(data, 4);
    case "u64":
    case "lamports":
    case "amount":
      return readInteger(data, 8);
    case "i64": {
      const found = readInteger(data, 8);
      return found && { ...found, value: BigInt.asIntN(64, BigInt(found.value)).toString() };
    }
    case "key":
      return data.length < KEY_BYTES ? undefined : { value: keyOf(data), length: KEY_BYTES };
    case "optionalKey":
      if (data[0] === 0) return { value: "none", length: 1 };
      return data[0] !== 1 || data.length <= KEY_BYTES
        ? undefined
        : { value: keyOf(data.subarray(1)), length: 1 + KEY_BYTES };
    case "bytes32":
      return data.length < 32 ? undefined : { value: bytesToHex(data.subarray(0, 32)), length: 32 };
    case "seed":
      return readText(data, 8);
    case "string":
      return readText(data, 4);
    case "text":
      return { value: textOf(data), length: data.length };
  }
}

function readInteger(data: Uint8Array, length: number): Read | undefined {
  if (data.length < length) return undefined;
  return { value: BigInt(bytesToHex(data.slice(0, length).reverse())).toString(), length };
}

/** @param prefix number of bytes of the length before the text */
function readText(data: Uint8Array, prefix: number): Read | undefined {
  const length = Number(readInteger(data, prefix)?.value ?? Infinity);
  if (data.length < prefix + length) return undefined;
  return { value: textOf(data.subarray(prefix, prefix + length)), length: prefix + length };
}

function keyOf(data: Uint8Array): string {
  return base58.encode(data.subarray(0, KEY_BYTES));
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
