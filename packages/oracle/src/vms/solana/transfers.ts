import { base58 } from "@scure/base";
import { bytesToHex, type Hex, hexToString, slice, zeroHash } from "viem";

import { MalformedDataError } from "@crosscall/protocol/core";
import {
  associatedTokenAccount,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  SOLANA_CODEC,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from "@crosscall/protocol/vms";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { SolanaInstruction, SolanaTransaction } from "./solanaReader.ts";

interface FoundDeposit {
  /** Index that distinguishes the deposits of a transaction. */
  readonly index: number;
  readonly depositor: string;
  readonly currency: string;
  readonly amount: bigint;
  /** Id of the deposit; zero if there is none. */
  readonly id: Hex;
}

interface SolanaDepository {
  /** The depository's program. */
  readonly program: string;
  /** Account of the program that holds native currency and owns the token accounts. */
  readonly vault: string;
}

/**
 * Finds deposit instructions of the depository's program at any depth. If there are none, accepts a transaction that
 * only transfers to the depository.
 */
export function findDeposits(
  transaction: SolanaTransaction,
  { program, vault }: SolanaDepository,
): readonly FoundDeposit[] {
  const made = transaction.instructions.flatMap((instruction, index) => {
    const deposit = instruction.program === program ? readDepositInstruction(instruction) : undefined;
    return deposit === undefined ? [] : [{ index, ...deposit, into: feeAccount(instruction) }];
  });
  if (made.length > 0) {
    return made.map(({ index, depositor, mint = SOLANA_CODEC.nativeCurrency, amount, id, into }) => {
      const all = into === undefined ? [] : made.filter((other) => other.into === into);
      return { index, depositor, currency: mint, amount: amount - feeOf(transaction, into, all), id };
    });
  }
  const direct = findDirectTransfer(transaction, vault);
  return direct === undefined ? [] : [direct];
}

/**
 * Returns the vault's token account of a deposit, the seventh account, if the token can charge a transfer fee. The
 * eighth account is the token program.
 */
function feeAccount({ accounts: [, , , , , , account, program] }: SolanaInstruction): string | undefined {
  return program === TOKEN_2022_PROGRAM ? account : undefined;
}

/**
 * Returns the transfer fee of a deposit: what was sent to a token account, minus the increase of its balance.
 *
 * @param all deposits into the account
 * @throws {@link AttestationRefusedError} if several deposits share a fee, or the account received nothing
 */
function feeOf(
  { tokenChanges }: SolanaTransaction,
  into: string | undefined,
  all: readonly Pick<DepositInstruction, "amount">[],
): bigint {
  const received = tokenChanges.find(({ account }) => account === into)?.amount;
  const fee = received === undefined ? 0n : all.reduce((sum, { amount }) => sum + amount, -received);
  if (fee <= 0n) return 0n;
  requireAttested(all.length === 1, `Could not determine the amount of each deposit into ${into}`);
  requireAttested(received !== undefined && received >= 0n, `Account ${into} received no tokens`);
  return fee;
}

/** Reads a transaction that only transfers to the depository. Returns undefined if it does anything else. */
function findDirectTransfer(
  { instructions, tokenChanges }: SolanaTransaction,
  vault: string,
): FoundDeposit | undefined {
  const [only, other] = instructions.filter(({ program }) => program !== COMPUTE_BUDGET_PROGRAM);
  if (only === undefined || other !== undefined) return undefined;
  const native = readNativeTransfer(only);
  if (native?.to === vault) {
    const { from, amount } = native;
    return { index: 0, depositor: from, currency: SOLANA_CODEC.nativeCurrency, amount, id: zeroHash };
  }
  const transfer = readTokenTransfer(only);
  if (transfer === undefined || transfer.amount === 0n) return undefined;
  const { from, to, amount } = transfer;
  const change = tokenChanges.find(({ account }) => account === to);
  if (change === undefined || to !== associatedTokenAccount(vault, change.mint, only.program)) return undefined;
  // Uses the balance increase, because Token-2022 tokens can charge a transfer fee.
  const isLess = only.program === TOKEN_2022_PROGRAM && change.amount < amount;
  if (isLess && change.amount < 0n) return undefined;
  return { index: 0, depositor: from, currency: change.mint, amount: isLess ? change.amount : amount, id: zeroHash };
}

/**
 * Measures a payment by the increase of the recipient's balance over all of the recipient's token accounts.
 *
 * @throws {@link MalformedDataError} if the node's JSON number cannot hold the balance exactly
 */
export function findPayment(
  { nativeChanges, tokenChanges }: SolanaTransaction,
  recipient: string,
  currency: string,
): bigint {
  if (currency !== SOLANA_CODEC.nativeCurrency) {
    return tokenChanges
      .filter(({ owner, mint }) => owner === recipient && mint === currency)
      .reduce((paid, { amount }) => paid + amount, 0n);
  }
  const change = nativeChanges.find(({ account }) => account === recipient);
  if (change === undefined) return 0n;
  if (change.amount !== undefined) return change.amount;
  const reason = "the recipient's balance is too large to be read exactly";
  throw new MalformedDataError({ what: "the transaction", path: "", reason });
}

/** Start of the data of an `execute_transfer` instruction: the first 8 bytes of SHA-256 of `global:execute_transfer`. */
const EXECUTE_TRANSFER = "0xe97ea0b8ebce1f77";

/** Returns whether a transaction executes a withdrawal from the depository, at any depth. */
export function hasWithdrawal({ instructions }: SolanaTransaction, program: string): boolean {
  return instructions.some((one) => one.program === program && decodeData(one.data).startsWith(EXECUTE_TRANSFER));
}

/** Pattern of an id, which matches at every position, because ids can overlap. */
const ID = /(?=(0x[0-9a-f]{64}))/gu;

/** Lists the distinct ids in the memos of a transaction, at any depth and position. */
export function namedOrders({ instructions }: SolanaTransaction): readonly Hex[] {
  const memos = instructions.map((instruction) => readMemo(instruction) ?? "");
  return [...new Set(memos.flatMap((memo) => [...memo.matchAll(ID)].map(([, id]) => id as Hex)))];
}

/** Selectors: the first 8 bytes of SHA-256 of `global:deposit_native` and `global:deposit_token`. */
const DEPOSIT_NATIVE = "0x0d9e0ddf5fd51c06";
const DEPOSIT_TOKEN = "0x0b9c60da27a3b413";
/** Length of the data: selector, amount of 8 bytes, id of 32 bytes. */
const DEPOSIT_BYTES = 48;

interface DepositInstruction {
  readonly depositor: string;
  /** Mint of the token; undefined for native currency. */
  readonly mint: string | undefined;
  /** Amount in the smallest unit. */
  readonly amount: bigint;
  readonly id: Hex;
}

/** Reads a deposit instruction. The third account is the depositor, and the fifth is the mint. */
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

interface TransferInstruction {
  readonly from: string;
  readonly to: string;
  /** Amount in the smallest unit. */
  readonly amount: bigint;
}

/** Start of a `Transfer` instruction of the system program. */
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

/** Reads a token transfer. `from` is the authority. */
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

/** Maximum length of base58 data. A transaction has at most 1,232 bytes, and longer data would be slow to decode. */
const MAX_DATA_CHARACTERS = 2_000;

function decodeData(data: string): Hex {
  return data.length > MAX_DATA_CHARACTERS ? "0x" : bytesToHex(base58.decode(data));
}

function lengthOf(data: Hex): number {
  return (data.length - 2) / 2;
}

/** Reads a Borsh number (little-endian). */
function readU64(data: Hex, start: number): bigint {
  const bytes = slice(data, start, start + 8).slice(2);
  return BigInt(`0x${(bytes.match(/../gu) ?? []).toReversed().join("")}`);
}
