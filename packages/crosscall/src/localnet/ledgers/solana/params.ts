import { SOLANA_CODEC } from "@crosscall/protocol/vms";
import type { SolanaChain } from "./solanaChain.ts";

/** Error response of a JSON-RPC method. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export function invalidParams(message: string): RpcError {
  return new RpcError(-32_602, message);
}

// Readers of the parameters of JSON-RPC calls.

export type Params = readonly unknown[];

/** Version whose behavior the API follows. */
export const API_VERSION = "2.3.0";

/** @throws {@link RpcError} if the caller requires a later slot */
export function inContext<Value>(
  { slots }: Pick<SolanaChain, "slots">,
  value: Value,
  options: Readonly<Record<string, unknown>> = {},
) {
  const { slot } = slots.current();
  const { minContextSlot } = options;
  if (isCount(minContextSlot) && minContextSlot > slot) {
    throw new RpcError(-32_016, "Minimum context slot has not been reached", { contextSlot: slot });
  }
  return { context: { apiVersion: API_VERSION, slot }, value };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

export function optionsAt(params: Params, index: number): Readonly<Record<string, unknown>> {
  const options = params[index];
  return isRecord(options) ? options : {};
}

/** Reads options. A caller can also pass only the encoding, as text. */
export function formatAt(params: Params, index: number): Readonly<Record<string, unknown>> {
  const format = params[index];
  return typeof format === "string" ? { encoding: format } : optionsAt(params, index);
}

export function keyAt(params: Params, index: number): string {
  return textAt(params, index, 32);
}

export function signatureAt(params: Params, index: number): string {
  return textAt(params, index, 64);
}

/** Reads base58 of an exact length. */
function textAt(params: Params, index: number, length: 32 | 64): string {
  const text = params[index];
  if (typeof text !== "string") throw invalidParams("Invalid params: expected a string");
  try {
    if (length === 32) SOLANA_CODEC.encodeAddress(text, "address");
    else SOLANA_CODEC.encodeTransactionId(text, "signature");
  } catch {
    throw invalidParams(/^[1-9A-HJ-NP-Za-km-z]*$/u.test(text) ? "Invalid param: WrongSize" : "Invalid param: Invalid");
  }
  return text;
}
