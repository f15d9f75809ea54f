import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAccount,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from "@crosscall/protocol/vms";
import type { AccountUse, Instruction } from "./wire.ts";

// Instructions of the network's own payments.

const reads = (pubkey: string): AccountUse => ({ pubkey, isSigner: false, isWritable: false });
const writes = (pubkey: string): AccountUse => ({ pubkey, isSigner: false, isWritable: true });
const signs = (pubkey: string): AccountUse => ({ pubkey, isSigner: true, isWritable: true });

export function nativeTransfer(from: string, to: string, amount: bigint): Instruction {
  const data = Buffer.concat([Buffer.from([2, 0, 0, 0]), u64(amount)]);
  return { programId: SYSTEM_PROGRAM, keys: [signs(from), writes(to)], data };
}

export interface TokenPayment {
  readonly from: string;
  readonly to: string;
  readonly mint: string;
  readonly decimals: number;
  /** Smallest unit. */
  readonly amount: bigint;
}

/** Builds the transfer to the recipient's account, which the payer creates if it does not exist. */
export function tokenTransfer({ from, to, mint, decimals, amount }: TokenPayment): Instruction[] {
  const [source, target] = [from, to].map((owner) => associatedTokenAccount(owner, mint, TOKEN_PROGRAM)) as [
    string,
    string,
  ];
  const TRANSFER_CHECKED = 12;
  return [
    createTokenAccount(from, to, mint),
    {
      programId: TOKEN_PROGRAM,
      keys: [writes(source), reads(mint), writes(target), { pubkey: from, isSigner: true, isWritable: false }],
      data: Buffer.concat([Buffer.from([TRANSFER_CHECKED]), u64(amount), Buffer.from([decimals])]),
    },
  ];
}

/** Creates the account of an owner for a token if it does not exist. */
export function createTokenAccount(payer: string, owner: string, mint: string): Instruction {
  const CREATE_IDEMPOTENT = 1;
  const account = associatedTokenAccount(owner, mint, TOKEN_PROGRAM);
  return {
    programId: ASSOCIATED_TOKEN_PROGRAM,
    keys: [signs(payer), writes(account), reads(owner), reads(mint), reads(SYSTEM_PROGRAM), reads(TOKEN_PROGRAM)],
    data: Buffer.from([CREATE_IDEMPOTENT]),
  };
}

/** Limits the compute units of the transaction. */
export function unitLimit(units: number): Instruction {
  const SET_UNIT_LIMIT = 2;
  const data = Buffer.alloc(5);
  data.writeUInt8(SET_UNIT_LIMIT);
  data.writeUInt32LE(units, 1);
  return { programId: COMPUTE_BUDGET_PROGRAM, keys: [], data };
}

export function memo(text: string): Instruction {
  return { programId: MEMO_PROGRAM, keys: [], data: Buffer.from(text) };
}

export function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}
