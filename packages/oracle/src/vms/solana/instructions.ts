import { base58 } from "@scure/base";
import { type Hex, bytesToHex, hexToString, slice } from "viem";

import { MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "./programs.ts";
import type { SolanaInstruction } from "./solanaReader.ts";

/** The first 8 bytes of SHA-256 of `global:deposit_native` and `global:deposit_token`. */
const DEPOSIT_NATIVE = "0x0d9e0ddf5fd51c06";
const DEPOSIT_TOKEN = "0x0b9c60da27a3b413";
/** Selector, amount of 8 bytes, id of 32 bytes. */
const DEPOSIT_BYTES = 48;

export interface DepositInstruction {
  readonly depositor: string;
  /** Undefined for native currency. */
  readonly mint: string | undefined;
  /** In the smallest unit. */
  readonly amount: bigint;
  readonly id: Hex;
}

/** The third account is the depositor, the fifth the mint. */
export function readDepositInstruction({
  accounts,
  ...instruction
}: SolanaInstruction): DepositInstruction | undefined {
  const data = decodeData(instruction.data);
  if (lengthOf(data) < DEPOSIT_BYTES) return undefined;
  const selector = slice(data, 0, 8);
  const [, , depositor, , mint] = accounts;
  if ((selector !== DEPOSIT_NATIVE && selector !== DEPOSIT_TOKEN) || depositor === undefined) return undefined;
  if (selector === DEPOSIT_TOKEN && mint === undefined) return undefined;
  return {
    depositor,
    mint: selector === DEPOSIT_TOKEN ? mint : undefined,
    amount: readU64(data, 8),
    id: slice(data, 16, DEPOSIT_BYTES),
  };
}

export interface TransferInstruction {
  readonly from: string;
  readonly to: string;
  /** In the smallest unit. */
  readonly amount: bigint;
}

/** The system program's `Transfer`. */
const SYSTEM_TRANSFER = "0x02000000";

export function readNativeTransfer(instruction: SolanaInstruction): TransferInstruction | undefined {
  const [from, to] = instruction.accounts;
  if (instruction.program !== SYSTEM_PROGRAM || from === undefined || to === undefined) return undefined;
  const data = decodeData(instruction.data);
  if (lengthOf(data) < 12 || slice(data, 0, 4) !== SYSTEM_TRANSFER) return undefined;
  return { from, to, amount: readU64(data, 4) };
}

const TOKEN_TRANSFER = "0x03";
const TOKEN_TRANSFER_CHECKED = "0x0c";

/** `from` is the authority. */
export function readTokenTransfer({ program, accounts, ...rest }: SolanaInstruction): TransferInstruction | undefined {
  if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM) return undefined;
  const data = decodeData(rest.data);
  if (lengthOf(data) < 9) return undefined;
  const kind = slice(data, 0, 1);
  if (kind !== TOKEN_TRANSFER && kind !== TOKEN_TRANSFER_CHECKED) return undefined;
  // `TransferChecked` has the mint between source and destination.
  const [to, from] = accounts.slice(kind === TOKEN_TRANSFER ? 1 : 2);
  return from === undefined || to === undefined ? undefined : { from, to, amount: readU64(data, 1) };
}

export function readMemo({ program, data }: SolanaInstruction): string | undefined {
  return program === MEMO_PROGRAM ? hexToString(decodeData(data)) : undefined;
}

/** A transaction has at most 1,232 bytes, which is less in base58; longer data would be slow to decode. */
const MAX_DATA_CHARACTERS = 2_000;

function decodeData(data: string): Hex {
  return data.length > MAX_DATA_CHARACTERS ? "0x" : bytesToHex(base58.decode(data));
}

function lengthOf(data: Hex): number {
  return (data.length - 2) / 2;
}

/** Borsh is little-endian. */
function readU64(data: Hex, start: number): bigint {
  const bytes = slice(data, start, start + 8).slice(2);
  return BigInt(`0x${(bytes.match(/../gu) ?? []).toReversed().join("")}`);
}
