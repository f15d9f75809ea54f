import type { Hex } from "viem";

import { EVM_NATIVE_CURRENCY } from "../chains/address.ts";
import { readHex } from "./readText.ts";
import type { VmCodec } from "./vmCodec.ts";

/** EVM chains: addresses of 20 bytes, in any case, and transaction hashes of 32 bytes. */
export const ETHEREUM_CODEC: VmCodec = {
  vmType: "ethereum-vm",
  nativeCurrency: EVM_NATIVE_CURRENCY,
  encodeAddress: encodeEthereumAddress,
  decodeAddress: (bytes) => readHex(bytes, 20, { field: "address", what: "20 bytes" }),
  encodeTransactionId: (id, field) => readHex(id, 32, { field, what: "a transaction hash of 32 bytes" }),
  decodeTransactionId: (bytes) => bytes,
};

export function encodeEthereumAddress(address: string, field: string): Hex {
  return readHex(address, 20, { field, what: "an EVM address of 20 bytes" });
}
