import { sha256 } from "viem";

/** SHA-256 over bytes, as the coders of base58check take it. */
export function sha256Bytes(data: Uint8Array): Uint8Array {
  return sha256(data, "bytes");
}
