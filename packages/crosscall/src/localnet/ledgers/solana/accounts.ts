import { base58 } from "@scure/base";

import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "@crosscall/protocol/vms";

export const TOKEN_ACCOUNT_BYTES = 165;
const MINT_DECIMALS = 44;

export interface SolanaAccount {
  readonly lamports: bigint;
  readonly data: Uint8Array;
  /** The program that owns the account. */
  readonly owner: string;
  readonly executable: boolean;
}

export interface TokenAccount {
  readonly mint: string;
  readonly owner: string;
  readonly amount: bigint;
}

/** Returns undefined for an account that holds no token. */
export function readTokenAccount(account: SolanaAccount | undefined): TokenAccount | undefined {
  if (account === undefined || !isTokenProgram(account.owner)) return undefined;
  const { data } = account;
  const INITIALIZED_AT = 108;
  const KIND_TOKEN_ACCOUNT = 2;
  const isKind = data.length === TOKEN_ACCOUNT_BYTES || data[TOKEN_ACCOUNT_BYTES] === KIND_TOKEN_ACCOUNT;
  if (data.length < TOKEN_ACCOUNT_BYTES || !isKind || data[INITIALIZED_AT] === 0) return undefined;
  return {
    mint: base58.encode(data.subarray(0, 32)),
    owner: base58.encode(data.subarray(32, 64)),
    amount: Buffer.from(data.subarray(64, 72)).readBigUInt64LE(),
  };
}

export function isTokenProgram(address: string): boolean {
  return address === TOKEN_PROGRAM || address === TOKEN_2022_PROGRAM;
}

/** Returns undefined for an account that is not a token. */
export function readDecimals(mint: SolanaAccount | undefined): number | undefined {
  return mint !== undefined && isTokenProgram(mint.owner) ? mint.data[MINT_DECIMALS] : undefined;
}

/** An account without data that the system program owns. */
export function walletAccount(lamports: bigint): SolanaAccount {
  return { lamports, data: new Uint8Array(), owner: SYSTEM_PROGRAM, executable: false };
}
