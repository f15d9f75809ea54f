import type { Address } from "viem";

import { BPS_PER_WHOLE, mulDiv } from "@crosscall/sdk/internal/core/amounts";
import type { DevChain } from "../../devchain/devChain.ts";
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

const SWAP_SOURCES = { wrap: "wrapped-native", unwrap: "wrapped-native", pools: "uniswap-v3" } as const;

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
