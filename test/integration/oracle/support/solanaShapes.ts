import { createHash } from "node:crypto";

import { base58 } from "@scure/base";
import { bytesToHex, concatBytes, type Hex, hexToBytes, stringToBytes } from "viem";

import { JsonRpcFault } from "./recordedServer.ts";

/** The depository's program and its vault (seed `vault`), computed with another library. */
export const DEPOSITORY = "99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2";
export const VAULT = "7uTT8Xi5RWXzy7h9XL244GRgEycDYDhLjr3ZyNdXi8pZ";
export const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
/** USDC accounts of the vault, one for the older and one for the newer token program. */
export const VAULT_USDC = "4nvJ5zWdVspxJiNZzB127U6amPH98SFFkBx2JZrAduia";
export const VAULT_USDC_2022 = "4AmLcSFQdwvBr5x6y9f37ESpTmGkp9D9dzuzAFajBobw";
export const SYSTEM = "11111111111111111111111111111111";
const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
export const TOKEN_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
export const COMPUTE_BUDGET = "ComputeBudget111111111111111111111111111111";

/** Returns a public key derived from a name. */
export function keyOf(name: string): string {
  return base58.encode(createHash("sha256").update(name).digest());
}

/** Returns a signature derived from a name. */
export function signatureOf(name: string): string {
  return base58.encode(createHash("sha512").update(name).digest());
}

/** Returns the bytes that represent an address in messages. */
export function encodeKey(address: string): Hex {
  return bytesToHex(base58.decode(address));
}

function u64(amount: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(amount);
  return bytes;
}

/** Instruction with its accounts by name. */
export interface TestInstruction {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
}

/** Returns an instruction of the depository's program. */
export function depositOf(name: "deposit_native" | "deposit_token", depositor: string, amount: bigint, id: Hex) {
  const selector = createHash("sha256").update(`global:${name}`).digest().subarray(0, 8);
  const accounts = [keyOf("state"), keyOf("sender"), depositor, VAULT, name === "deposit_token" ? USDC : SYSTEM];
  return { program: DEPOSITORY, accounts, data: concatBytes([selector, u64(amount), hexToBytes(id)]) };
}

/** Returns a native currency transfer. */
export function nativeTransferOf(from: string, to: string, lamports: bigint): TestInstruction {
  return { program: SYSTEM, accounts: [from, to], data: concatBytes([Uint8Array.of(2, 0, 0, 0), u64(lamports)]) };
}

/** Returns a USDC transfer with either of the two transfer instructions. */
export function tokenTransferOf(
  { program = TOKEN, checked = true }: { readonly program?: string; readonly checked?: boolean },
  { owner, to, amount }: { readonly owner: string; readonly to: string; readonly amount: bigint },
): TestInstruction {
  const source = keyOf(`${owner}'s account`);
  return checked
    ? { program, accounts: [source, USDC, to, owner], data: concatBytes([[12], u64(amount), [6]].map(toBytes)) }
    : { program, accounts: [source, to, owner], data: concatBytes([[3], u64(amount)].map(toBytes)) };
}

function toBytes(part: Uint8Array | number[]): Uint8Array {
  return Uint8Array.from(part);
}

/** Returns an instruction that writes a memo. */
export function memoOf(text: string): TestInstruction {
  return { program: MEMO, accounts: [], data: stringToBytes(text) };
}

/** Contents of a transaction. */
export interface TestTransaction {
  readonly instructions: readonly TestInstruction[];
  /** Inner instructions, grouped by outer instruction. */
  readonly inner?: readonly (readonly TestInstruction[])[];
  /** Accounts loaded from lookup tables. */
  readonly loaded?: readonly string[];
  /** Lamports of each account, before and after the transaction. */
  readonly lamports?: Readonly<Record<string, readonly [number, number]>>;
  readonly tokens?: readonly {
    readonly account: string;
    readonly owner?: string;
    readonly before?: string;
    readonly after?: string;
  }[];
  readonly blockTime?: number | null;
  readonly error?: unknown;
  readonly slot?: number;
}

/** Returns the response of `getTransaction`, in the format of the chain's nodes. */
export function transactionShape(signature: string, transaction: TestTransaction) {
  const { instructions, inner = [], loaded = [], lamports = {}, tokens = [] } = transaction;
  const { blockTime = 1_790_000_000, error = null, slot = 300_000_000 } = transaction;
  const all = [...instructions, ...inner.flat()];
  const named = [
    ...all.flatMap(({ program, accounts }) => [...accounts, program]),
    ...Object.keys(lamports),
    ...tokens.map(({ account }) => account),
  ];
  const own = [...new Set(named)].filter((key) => !loaded.includes(key));
  const keys = [...own, ...loaded];
  const shapeOf = ({ program, accounts, data }: TestInstruction) => ({
    programIdIndex: keys.indexOf(program),
    accounts: accounts.map((account) => keys.indexOf(account)),
    data: base58.encode(data),
    stackHeight: null,
  });
  const tokenBalances = (when: "after" | "before") =>
    tokens.flatMap(({ account, owner = keyOf("holder"), [when]: amount }) =>
      amount === undefined
        ? []
        : [
            {
              accountIndex: keys.indexOf(account),
              mint: USDC,
              owner,
              programId: TOKEN,
              uiTokenAmount: { amount, decimals: 6, uiAmount: null, uiAmountString: amount },
            },
          ],
    );
  return {
    slot,
    blockTime,
    version: loaded.length > 0 ? 0 : "legacy",
    meta: {
      err: error,
      status: error === null ? { Ok: null } : { Err: error },
      fee: 5000,
      logMessages: [],
      preBalances: keys.map((key) => lamports[key]?.[0] ?? 1),
      postBalances: keys.map((key) => lamports[key]?.[1] ?? 1),
      preTokenBalances: tokenBalances("before"),
      postTokenBalances: tokenBalances("after"),
      rewards: [],
      innerInstructions: inner.map((called, index) => ({ index, instructions: called.map(shapeOf) })),
      loadedAddresses: { writable: loaded.slice(0, 1), readonly: loaded.slice(1) },
    },
    transaction: {
      signatures: [signature],
      message: {
        accountKeys: own,
        recentBlockhash: keyOf("block"),
        header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
        instructions: instructions.map(shapeOf),
      },
    },
  };
}

/** Chain with its data in a node's format. */
export class SolanaChain {
  readonly transactions = new Map<string, object>();
  private readonly prefix: string;

  /** @param prefix prefix of the names from which signatures are derived */
  constructor(prefix = "") {
    this.prefix = prefix;
  }

  add(name: string, transaction: TestTransaction): string {
    const signature = signatureOf(`${this.prefix}${name}`);
    this.transactions.set(signature, transactionShape(signature, transaction));
    return signature;
  }

  /** Returns the node's result for an RPC method. */
  answerRpc(method: string, [first]: readonly unknown[]): unknown {
    if (method === "getTransaction") return this.transactions.get(String(first)) ?? null;
    if (method === "getSlot") return 300_000_010;
    return method === "getBlockTime" ? 1_790_000_005 : new JsonRpcFault(-32_601, "Method not found");
  }
}
