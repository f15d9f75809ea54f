import { type Hex, zeroHash } from "viem";

import { SOLANA_CODEC } from "@crosscall/protocol/vms";
import { readDepositInstruction, readNativeTransfer, readTokenTransfer } from "./instructions.ts";
import { associatedTokenAccount } from "./programAddress.ts";
import { COMPUTE_BUDGET_PROGRAM, TOKEN_2022_PROGRAM } from "./programs.ts";
import type { SolanaTransaction } from "./solanaReader.ts";

export interface FoundDeposit {
  /** Distinguishes the deposits of a transaction. */
  readonly index: number;
  readonly depositor: string;
  readonly currency: string;
  readonly amount: bigint;
  /** Zero without an id. */
  readonly id: Hex;
}

export interface SolanaDepository {
  /** The depository's program. */
  readonly program: string;
  /** The program's account that holds native currency, and owns the token accounts. */
  readonly vault: string;
}

/**
 * Instructions of the depository's program at any depth; without any, a transaction that only transfers to the
 * depository (spec 5, section 2).
 */
export function findDeposits(
  transaction: SolanaTransaction,
  { program, vault }: SolanaDepository,
): readonly FoundDeposit[] {
  const deposits = transaction.instructions.flatMap((instruction, index): FoundDeposit[] => {
    const deposit = instruction.program === program ? readDepositInstruction(instruction) : undefined;
    if (deposit === undefined) return [];
    const { depositor, mint = SOLANA_CODEC.nativeCurrency, amount, id } = deposit;
    return [{ index, depositor, currency: mint, amount, id }];
  });
  if (deposits.length > 0) return deposits;
  const direct = findDirectTransfer(transaction, vault);
  return direct === undefined ? [] : [direct];
}

/** Undefined if the transaction does anything else. */
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
  // Token-2022 tokens may charge a transfer fee.
  const isLess = only.program === TOKEN_2022_PROGRAM && change.amount < amount;
  if (isLess && change.amount < 0n) return undefined;
  return { index: 0, depositor: from, currency: change.mint, amount: isLess ? change.amount : amount, id: zeroHash };
}
