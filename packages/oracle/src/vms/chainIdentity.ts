import { hexToBigInt, isHex } from "viem";

import type { AdditionalData } from "../chainFiles.ts";
import type { ChainIdentity } from "../rpc/checkedEndpoint.ts";

/** Identifies a chain by the chain id of EVM nodes; undefined if none is configured. */
export function evmIdentity(chainId: number | string | undefined): ChainIdentity | undefined {
  if (chainId === undefined) return undefined;
  return {
    method: "eth_chainId",
    params: [],
    parse: (result) => (isHex(result) && result !== "0x" ? hexToBigInt(result).toString() : undefined),
    expected: BigInt(chainId).toString(),
  };
}

/** Identifies a chain by the hash of its first block; undefined if none is configured. */
export function genesisIdentity(
  { genesisHash }: AdditionalData,
  call: Pick<ChainIdentity, "method" | "params">,
  hashOf: (result: unknown) => unknown,
): ChainIdentity | undefined {
  if (genesisHash === undefined) return undefined;
  return {
    ...call,
    parse(result) {
      const hash = hashOf(result);
      return typeof hash === "string" ? hash : undefined;
    },
    expected: genesisHash,
  };
}

/** Returns the `hash` of a block. */
export function blockHash(result: unknown): unknown {
  return typeof result === "object" && result !== null ? Reflect.get(result, "hash") : undefined;
}
