import { SYSTEM_PROGRAM } from "@crosscall/protocol/vms";
import type { IncludedTransaction } from "./solanaChain.ts";

export interface SolanaDeposit {
  readonly depositor: string;
  /** The mint; the system program for native currency. */
  readonly currency: string;
  readonly amount: bigint;
  /** In hex. */
  readonly id: string;
}

// The first 8 bytes of SHA-256 of `global:deposit_native` and `global:deposit_token`.
const DEPOSIT_NATIVE = "0d9e0ddf5fd51c06";
const DEPOSIT_TOKEN = "0b9c60da27a3b413";

const DEPOSIT_BYTES = 48;

/** Reads the deposits of a successful transaction, including those that other programs make. */
export function depositsOf(
  { error, transaction, inner, keys }: IncludedTransaction,
  depository: string,
): SolanaDeposit[] {
  if (error !== undefined) return [];
  return [...transaction.message.instructions, ...inner.flat()].flatMap(({ programIdIndex, accounts, data }) => {
    const selector = Buffer.from(data.subarray(0, 8)).toString("hex");
    const isNative = selector === DEPOSIT_NATIVE;
    if (keys[programIdIndex] !== depository || data.length < DEPOSIT_BYTES) return [];
    if (!isNative && selector !== DEPOSIT_TOKEN) return [];
    const [, , depositor = "", , mint = ""] = accounts.map((index) => keys[index]);
    const bytes = Buffer.from(data);
    return [
      {
        depositor,
        currency: isNative ? SYSTEM_PROGRAM : mint,
        amount: bytes.readBigUInt64LE(8),
        id: `0x${bytes.toString("hex", 16, DEPOSIT_BYTES)}`,
      },
    ];
  });
}
