import { concat, type Hex, sha256, stringToHex, toHex } from "viem";

import { decodeBase58 } from "../encoding/baseTexts.ts";

export const SYSTEM_PROGRAM = "11111111111111111111111111111111";

export const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";

export const TOKEN_2022_PROGRAM = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";

export const ASSOCIATED_TOKEN_PROGRAM = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";

export const COMPUTE_BUDGET_PROGRAM = "ComputeBudget111111111111111111111111111111";

/** Program that solvers use to write the orderId. */
export const MEMO_PROGRAM = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";

/** Program whose assertions wallets add: they read accounts, and fail a transaction if a value is unexpected. */
export const ASSERTIONS_PROGRAM = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95";

/** Programs that transfer funds and pay fees. */
export const SVM_PROGRAMS: readonly string[] = [
  SYSTEM_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  MEMO_PROGRAM,
];

/** Returns whether an address is derived from a program and seeds in hex, with any bump. Such an address has no private key. */
export function isDerivedAddress(address: string, seeds: readonly Hex[], program: string): boolean {
  const wanted = svmKeyOf(address);
  for (let bump = 255; bump >= 0; bump--) {
    const parts = [...seeds, toHex(bump, { size: 1 }), svmKeyOf(program), stringToHex("ProgramDerivedAddress")];
    if (sha256(concat(parts)) === wanted) return true;
  }
  return false;
}

/** Returns the bytes of a base58 address, none if it is invalid. */
export function svmKeyOf(address: string): Hex {
  return toHex(decodeBase58(address) ?? "");
}
