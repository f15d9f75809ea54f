import { type Hex, hexToBytes } from "viem";

import { decodeBase58, encodeBase58 } from "../encoding/baseTexts.ts";
import { readBy } from "./readText.ts";
import type { VmCodec } from "./vmCodec.ts";

/** SVM chains: public keys of 32 bytes and signatures of 64, both in base58. */
export const SOLANA_CODEC: VmCodec = {
  vmType: "solana-vm",
  nativeCurrency: "11111111111111111111111111111111",
  encodeAddress: encodeSolanaAddress,
  decodeAddress: (bytes) => encodeBase58(hexToBytes(bytes)),
  encodeTransactionId: (id, field) =>
    readBy(decodeBase58, id, 64, { field, what: "a base58 transaction signature of 64 bytes" }),
  decodeTransactionId: (bytes) => encodeBase58(hexToBytes(bytes)),
};

export function encodeSolanaAddress(address: string, field: string): Hex {
  return readBy(decodeBase58, address, 32, { field, what: "a base58 public key of 32 bytes" });
}
