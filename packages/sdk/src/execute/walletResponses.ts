import type { Client, Hex } from "viem";

import { MalformedDataError } from "@crosscall/protocol/core";
import { fieldOf, throwAborted } from "./node.ts";

/** Fields in which wallets wrap the result. */
const HASH_FIELDS = ["hash", "transactionHash", "txHash", "result"] as const;
const SIGNATURE_FIELDS = ["signature", "sig", "result"] as const;

const WRAPPED_MAX = 3;

/**
 * Reads the transaction hash that a wallet returned, in lower case. Returns undefined if the result is not a hash:
 * nothing, the wallet's own id, too few digits, or zeros.
 */
export function readTransactionHash(answer: unknown): Hex | undefined {
  const hash = readHex(answer, HASH_FIELDS);
  return hash !== undefined && /^0x(?!0{64}$)[0-9a-f]{64}$/u.test(hash) ? hash : undefined;
}

/**
 * Normalizes a signature for contracts and services: 65 bytes with v of 27 or 28. Hardware wallets return v of 0 or 1,
 * and some wallets the short form of EIP-2098. Does not change signatures of contract accounts (ERC-1271, ERC-6492).
 * @throws {@link MalformedDataError} when the value is not a signature
 */
export function normalizeSignature(answer: unknown, { forContract }: { readonly forContract: boolean }): Hex {
  const signature = readHex(answer, SIGNATURE_FIELDS);
  if (signature === undefined) throw malformed("it is not hex");
  const size = (signature.length - 2) / 2;
  if (size === 0 || !Number.isInteger(size)) throw malformed(`it has ${signature.length - 2} hex digits`);
  if (forContract || size > 65) return signature;
  if (size === 64) {
    const half = BigInt(`0x${signature.slice(66)}`);
    return join(signature.slice(2, 66), (half & HALF_MASK).toString(16).padStart(64, "0"), Number(half >> 255n));
  }
  if (size < 64) throw malformed(`it has ${size} bytes`);
  const v = Number.parseInt(signature.slice(130), 16);
  const parity = v >= 35 ? (v - 35) % 2 : v >= 27 ? v - 27 : v;
  if (parity > 1) throw malformed(`its v is ${v}`);
  return join(signature.slice(2, 66), signature.slice(66, 130), parity);
}

/** Whether normalization depends on whether the account has code. */
export function dependsOnCode(answer: unknown): boolean {
  const signature = readHex(answer, SIGNATURE_FIELDS);
  return signature !== undefined && signature.length <= 132 && !/^0x[0-9a-f]{128}1[bc]$/u.test(signature);
}

/** Mask of s: in EIP-2098, the highest bit is the parity. */
const HALF_MASK = (1n << 255n) - 1n;

function join(r: string, s: string, parity: number): Hex {
  return `0x${r}${s}${parity === 0 ? "1b" : "1c"}`;
}

function readHex(answer: unknown, fields: readonly string[], depth = 0): Hex | undefined {
  if (typeof answer === "string") {
    const digits = answer.trim().replace(/^0x/iu, "");
    return /^[0-9a-f]*$/iu.test(digits) ? `0x${digits.toLowerCase()}` : undefined;
  }
  if (typeof answer !== "object" || answer === null || depth === WRAPPED_MAX) return undefined;
  for (const field of fields) {
    const found = readHex(Reflect.get(answer, field), fields, depth + 1);
    if (found !== undefined && found !== "0x") return found;
  }
  return undefined;
}

function malformed(reason: string): MalformedDataError {
  return new MalformedDataError({
    what: "the signature from the wallet",
    path: "",
    reason,
    hint: "Nothing was posted. Sign again, or use another wallet.",
  });
}

/** Normalizes the signature, unless the code at the account's address defines its own format. */
export async function readSignature(client: Client, address: Hex, answer: unknown): Promise<Hex> {
  return normalizeSignature(answer, { forContract: dependsOnCode(answer) && (await hasOwnCode(client, address)) });
}

/** A delegating account (EIP-7702) still signs with its key. */
const DELEGATION = "0xef0100";

/** Whether the account is a contract. Assumes that it is none if the node does not respond. */
export async function hasOwnCode(client: Client, address: Hex): Promise<boolean> {
  try {
    const code = await client.request({ method: "eth_getCode", params: [address, "latest"] });
    return typeof code === "string" && code.length > 2 && !code.toLowerCase().startsWith(DELEGATION);
  } catch (error) {
    throwAborted(error);
    // Most accounts have no code, and the service rejects a wrong signature.
    return false;
  }
}

/**
 * Whether a response to `wallet_getCapabilities` (EIP-5792) has atomic bundles on a chain, even in the format of
 * earlier drafts. The capabilities of chain 0 are those of every chain.
 */
export function readAtomicCapability(answer: unknown, chainId: number): boolean {
  const byChain = capabilitiesByChain(answer);
  return isAtomic(byChain.get(chainId)) ?? isAtomic(byChain.get(0)) ?? false;
}

function capabilitiesByChain(answer: unknown): ReadonlyMap<number | undefined, unknown> {
  if (typeof answer !== "object" || answer === null) return new Map();
  if (!Array.isArray(answer)) return new Map(Object.entries(answer).map(([key, value]) => [readChainId(key), value]));
  return new Map(
    answer.map((entry: unknown) => [readChainId(fieldOf(entry, "chainId")), fieldOf(entry, "capabilities") ?? entry]),
  );
}

/** Returns undefined if unknown. */
function isAtomic(capabilities: unknown): boolean | undefined {
  const atomic = fieldOf(capabilities, "atomic") ?? fieldOf(capabilities, "atomicBatch");
  if (atomic === undefined || atomic === null) return undefined;
  const status: unknown =
    typeof atomic === "object" ? (fieldOf(atomic, "status") ?? fieldOf(atomic, "supported")) : atomic;
  if (typeof status !== "string") return status === true;
  return ["supported", "ready", "true"].includes(status.toLowerCase());
}

/** Reads a chain id in hex or decimal, as text or number, or in CAIP-2 format. */
export function readChainId(answer: unknown): number | undefined {
  if (typeof answer === "bigint" || typeof answer === "number") {
    return Number.isSafeInteger(Number(answer)) && answer >= 0 ? Number(answer) : undefined;
  }
  if (typeof answer !== "string") return undefined;
  const text = answer
    .trim()
    .toLowerCase()
    .replace(/^eip155:/u, "");
  return /^(?:0x[0-9a-f]{1,13}|\d{1,15})$/u.test(text) ? Number(text) : undefined;
}
