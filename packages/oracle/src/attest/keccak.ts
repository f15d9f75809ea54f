import { createKeccak } from "hash-wasm";
import { type Hex, keccak256 as viemKeccak256 } from "viem";

const hasher = await createKeccak(256);

/** Computes Keccak-256 with WebAssembly, which takes a tenth of the time of viem's JavaScript. */
export function keccak256(data: Hex): Hex {
  const bytes = Buffer.from(data.slice(2), "hex");
  // Checks the hex, because Node.js drops everything after a half byte or an invalid character.
  if (2 + 2 * bytes.length !== data.length) return viemKeccak256(data);
  return `0x${hasher.init().update(bytes).digest()}`;
}
