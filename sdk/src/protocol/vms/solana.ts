import { base58 } from "@scure/base";
import { hexToBytes } from "viem";

import { readBy } from "./readText.ts";
import type { VmCodec } from "./vmCodec.ts";

/** SVM chains: public keys of 32 bytes and signatures of 64, both in base58. */
export const SOLANA_CODEC: VmCodec = {
  vmType: "solana-vm",
  nativeCurrency: "11111111111111111111111111111111",
  encodeAddress: (address, field) =>
    readBy((text) => base58.decode(text), address, 32, { field, what: "a base58 public key of 32 bytes" }),
  decodeAddress: (bytes) => base58.encode(hexToBytes(bytes)),
  encodeTransactionId: (id, field) =>
    readBy((text) => base58.decode(text), id, 64, { field, what: "a base58 transaction signature of 64 bytes" }),
  decodeTransactionId: (bytes) => base58.encode(hexToBytes(bytes)),
};
