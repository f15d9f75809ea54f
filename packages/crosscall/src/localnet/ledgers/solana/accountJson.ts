import { base58 } from "@scure/base";
import { formatUnits } from "viem";

import { TOKEN_2022_PROGRAM } from "@crosscall/protocol/vms";
import { isTokenProgram, readTokenAccount, type SolanaAccount } from "./accounts.ts";
import type { SolanaChain } from "./solanaChain.ts";
import { invalidParams } from "./params.ts";

export interface AccountFormat {
  readonly encoding?: unknown;
  readonly dataSlice?: unknown;
}

const ENCODINGS: readonly unknown[] = ["base58", "base64", "base64+zstd", "binary", "jsonParsed"];

/** Rent epoch of accounts that pay no rent. */
const NO_RENT_EPOCH = 2n ** 64n - 1n;

/** Maximum length of data that nodes encode as base58. */
const BASE58_MAX_BYTES = 128;

/** @throws {@link RpcError} if the format is unknown, or cannot encode the account */
export function toAccountJson(chain: SolanaChain, account: SolanaAccount, format: AccountFormat) {
  requireEncoding(format);
  if (isBase58(format) && slice(account.data, format.dataSlice).length > BASE58_MAX_BYTES) {
    throw invalidParams("Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.");
  }
  return encodeAccount(chain, account, format);
}

/** @throws {@link RpcError} if the encoding is unknown */
export function requireEncoding({ encoding }: AccountFormat): void {
  if (encoding === undefined || ENCODINGS.includes(encoding)) return;
  throw invalidParams(`Invalid params: unknown variant ${JSON.stringify(encoding)}.`);
}

/** Encodes an account in a known encoding. Replaces data that the encoding cannot contain with a text, like a node. */
export function encodeAccount(chain: SolanaChain, account: SolanaAccount, format: AccountFormat) {
  const { lamports, owner, executable, data } = account;
  return {
    lamports,
    data: encodeData(chain, account, format),
    owner,
    executable,
    rentEpoch: NO_RENT_EPOCH,
    space: data.length,
  };
}

function encodeData(chain: SolanaChain, account: SolanaAccount, format: AccountFormat): unknown {
  const { encoding, dataSlice } = format;
  if (encoding === "jsonParsed") {
    const parsed = parseAccount(chain, account);
    if (parsed !== undefined) return parsed;
  }
  const data = Buffer.from(slice(account.data, dataSlice));
  // The second element names the encoding, so clients read uncompressed data too.
  if (!isBase58(format)) return [data.toString("base64"), "base64"];
  const text = data.length > BASE58_MAX_BYTES ? "error: data too large for bs58 encoding" : base58.encode(data);
  return encoding === "base58" ? [text, encoding] : text;
}

function isBase58({ encoding }: AccountFormat): boolean {
  return encoding === undefined || encoding === "base58" || encoding === "binary";
}

function slice(data: Uint8Array, part: unknown): Uint8Array {
  if (typeof part !== "object" || part === null) return data;
  const { offset, length } = part as { readonly offset?: unknown; readonly length?: unknown };
  return typeof offset === "number" && typeof length === "number" ? data.subarray(offset, offset + length) : data;
}

const MINT_BYTES = 82;

/** Parses tokens and token accounts. Returns undefined for other accounts. */
function parseAccount(chain: SolanaChain, account: SolanaAccount): object | undefined {
  if (!isTokenProgram(account.owner)) return undefined;
  const program = account.owner === TOKEN_2022_PROGRAM ? "spl-token-2022" : "spl-token";
  const holding = readTokenAccount(account);
  const space = account.data.length;
  if (holding !== undefined) {
    const tokenAmount = toTokenAmount(holding.amount, chain.decimalsOf(holding.mint) ?? 0);
    const { mint, owner } = holding;
    const info = { isNative: account.data[109] === 1, mint, owner, state: "initialized", tokenAmount };
    return { program, parsed: { type: "account", info }, space };
  }
  if (space < MINT_BYTES) return undefined;
  const data = Buffer.from(account.data);
  const authority = (at: number): string | null =>
    data.readUInt32LE(at) === 0 ? null : base58.encode(data.subarray(at + 4, at + 36));
  const info = {
    decimals: data[44],
    freezeAuthority: authority(46),
    isInitialized: data[45] === 1,
    mintAuthority: authority(0),
    supply: data.readBigUInt64LE(36).toString(),
  };
  return { program, parsed: { type: "mint", info }, space };
}

export function toTokenAmount(amount: bigint, decimals: number) {
  const uiAmountString = formatUnits(amount, decimals);
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}
