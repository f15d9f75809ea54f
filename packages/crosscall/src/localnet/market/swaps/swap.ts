import type { Address } from "viem";

import { BPS_PER_WHOLE, mulDiv } from "@crosscall/protocol/encoding";
import { SVM_SWAP_AGGREGATOR } from "@crosscall/protocol/quote/rules";
import type { DevChain } from "../../devchain/devChain.ts";
import { isSimulated, type QuotedChain } from "../quotedChains.ts";
import type { SwapPath } from "./findPaths.ts";

export type SwapChain = Pick<DevChain, "client" | "contracts" | "pools">;

export type SwapRoute =
  | { readonly kind: "wrap" }
  | { readonly kind: "unwrap" }
  | { readonly kind: "pools"; readonly path: SwapPath };

export interface Swap {
  readonly route: SwapRoute;
  /** Zero address for native currency. */
  readonly input: Address;
  readonly output: Address;
  /** Smallest unit of the input. */
  readonly amountIn: bigint;
  /** Smallest unit of the output, after the token's transfer fee. */
  readonly amountOut: bigint;
  /** In bps. */
  readonly transferFeeBps: bigint;
}

/** Names in requests and records. */
export const SWAP_SOURCES = { wrap: "wrapped-native", unwrap: "wrapped-native", pools: "uniswap-v3" } as const;

/** All that quotes with the chain may use. */
export function swapSourcesOf(chain: QuotedChain): readonly string[] {
  if (isSimulated(chain)) return chain.vmType === "svm" ? [SVM_SWAP_AGGREGATOR] : [];
  const { pools, wrap } = SWAP_SOURCES;
  return chain.pools.length > 0 ? [pools, wrap] : [wrap];
}

export function swapSource({ route }: Pick<Swap, "route">): string {
  return SWAP_SOURCES[route.kind];
}

/** The token rounds its fee down. */
export function afterTransferFee(sent: bigint, feeBps: bigint): bigint {
  return sent - mulDiv(sent, feeBps, BPS_PER_WHOLE);
}

export function beforeTransferFee(arrives: bigint, feeBps: bigint): bigint {
  // The fee is rounded down, so the received amount is rounded up.
  return arrives === 0n ? 0n : mulDiv(arrives - 1n, BPS_PER_WHOLE, BPS_PER_WHOLE - feeBps) + 1n;
}
