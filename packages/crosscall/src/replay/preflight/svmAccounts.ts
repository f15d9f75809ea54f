import { bytesToHex } from "viem";

import { decodeBase64 } from "@crosscall/protocol/encoding";
import * as T from "@crosscall/protocol/schema/type";
import { SOLANA_CODEC, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "@crosscall/protocol/vms";
import type { SvmNode } from "@crosscall/sdk/kit";
import type * as Type from "typebox";

const AccountSchema = T.Object({ lamports: T.Integer(), owner: T.String(), data: T.Array(T.String()) });

/** Accounts as nodes return them in base64. */
export const SvmAccountsSchema = T.Array(T.Union([AccountSchema, T.Null()]));

/** An account's state; undefined if it does not exist. */
export interface SvmState {
  readonly lamports: bigint;
  /** Program that owns the account. */
  readonly owner: string;
  readonly bytes: number;
  readonly token: SvmTokenState | undefined;
}

/** States of accounts that exist, by address. */
export type SvmStates = ReadonlyMap<string, SvmState>;

/** State of a token account. */
export interface SvmTokenState {
  readonly mint: string;
  readonly owner: string;
  /** Smallest unit. */
  readonly amount: bigint;
  /** Account that can transfer, and up to which amount. */
  readonly delegate: string | undefined;
  readonly delegated: bigint;
  /** Account that can close the account. */
  readonly closer: string | undefined;
}

/** Reads accounts by address. */
export async function readSvmAccounts(node: SvmNode, addresses: readonly string[]): Promise<SvmStates> {
  const options = { encoding: "base64", commitment: "confirmed" };
  const { value } = await node.read(T.Object({ value: SvmAccountsSchema }), "getMultipleAccounts", addresses, options);
  return toSvmStates(addresses, value);
}

/** Returns the states of accounts that exist, by address. */
export function toSvmStates(addresses: readonly string[], accounts: Type.Static<typeof SvmAccountsSchema>): SvmStates {
  return new Map(
    addresses.flatMap((address, index) => {
      const account = accounts[index] ?? undefined;
      if (account === undefined || account.lamports === 0) return [];
      const { lamports, owner, data } = account;
      const bytes = decodeBase64(data[0]) ?? new Uint8Array();
      return [[address, { lamports: BigInt(lamports), owner, bytes: bytes.length, token: readToken(owner, bytes) }]];
    }),
  );
}

const TOKEN_BYTES = 165;

/** Kind of an account of Token-2022 with extensions. */
const IS_TOKEN_ACCOUNT = 2;

function readToken(program: string, bytes: Uint8Array): SvmTokenState | undefined {
  if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM) return undefined;
  const isAccount = bytes.length === TOKEN_BYTES || bytes[TOKEN_BYTES] === IS_TOKEN_ACCOUNT;
  if (bytes.length < TOKEN_BYTES || !isAccount) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const keyAt = (at: number): string => SOLANA_CODEC.decodeAddress(bytesToHex(bytes.subarray(at, at + 32)));
  // An optional key has its presence in four bytes before.
  const optionAt = (at: number): string | undefined => (view.getUint32(at, true) === 1 ? keyAt(at + 4) : undefined);
  return {
    mint: keyAt(0),
    owner: keyAt(32),
    amount: view.getBigUint64(64, true),
    delegate: optionAt(72),
    delegated: view.getBigUint64(121, true),
    closer: optionAt(129),
  };
}
