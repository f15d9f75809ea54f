import { type Abi, type AbiParameter, encodeErrorResult, type Hex, parseAbiItem } from "viem";

import type { CatalogEntry } from "../../../../../packages/crosscall/src/replay/causes/catalog.ts";

type AbiError = Extract<Abi[number], { readonly type: "error" }>;

/** Returns revert data of the entry, with its required value or any other values. */
export function sampleRevert({ key }: Pick<CatalogEntry, "key">): Hex {
  if (key.startsWith('"')) return encodeText(key.slice(1, -1).replaceAll("*", "7"));
  const abi = parseAbiItem(`error ${key.replaceAll(/=\d+/gu, "")}`) as AbiError;
  const required = new Map([...key.matchAll(/(\w+)=(\d+)/gu)].map(([, name, value]) => [name, BigInt(value ?? 0)]));
  const args = abi.inputs.map((input) => required.get(input.name) ?? sampleOf(input));
  return encodeErrorResult({ abi: [abi], args } as never);
}

export function encodeText(text: string): Hex {
  return encodeErrorResult({ abi: [parseAbiItem("error Error(string message)")], args: [text] });
}

function sampleOf({ type }: AbiParameter): unknown {
  if (type === "address") return "0x00000000000000000000000000000000000000A1";
  if (type === "bytes") return "0x";
  if (type === "string") return "text";
  if (type === "bool") return true;
  const bytes = /^bytes(\d+)$/u.exec(type)?.[1];
  if (bytes !== undefined) return `0x${"11".repeat(Number(bytes))}`;
  const bits = /^u?int(\d+)$/u.exec(type)?.[1];
  return Number(bits) <= 48 ? 7 : 7n;
}
