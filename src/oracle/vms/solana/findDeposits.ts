import { type Hex, zeroHash } from "viem";

import { SOLANA_CODEC } from "@crosscall/sdk/internal/protocol/vms/solana";
import { readDepositInstruction, readNativeTransfer, readTokenTransfer } from "./instructions.ts";
import { associatedTokenAccount } from "./programAddress.ts";
import { COMPUTE_BUDGET_PROGRAM, TOKEN_2022_PROGRAM } from "./programs.ts";
import type { SolanaTransaction } from "./solanaReader.ts";

/** A deposit as a transaction's instructions tell it. */
export interface FoundDeposit {
  /** What tells it from others of the transaction. */
  readonly index: number;
  readonly depositor: string;
  readonly currency: string;
  readonly amount: bigint;
  /** Zero where nothing names an id. */
  readonly id: Hex;
}

/** Where a chain's deposits go. */
export interface SolanaDepository {
  /** The depository's program. */
  readonly program: string;
  /** The account of the program that holds the native currency, and owns the accounts that hold tokens. */
  readonly vault: string;
}

/**
 * Finds the deposits that a transaction's instructions order (spec 5, section 2): those of the depository's
 * program, whoever calls it; where there is none, a transaction that does nothing but transfer to the depository.
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

/** The transfer to the depository that is all that a transaction does. */
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
  // Tokens of the newer program may keep a fee back.
  const isLess = only.program === TOKEN_2022_PROGRAM && change.amount < amount;
  return { index: 0, depositor: from, currency: change.mint, amount: isLess ? change.amount : amount, id: zeroHash };
}
