import type { Address } from "viem";

import type { DevChain } from "../../devchain/devChain.ts";
import type { SwapPath } from "./findPaths.ts";

/** The chain that a swap is made on, as far as a swap needs it. */
export type SwapChain = Pick<DevChain, "client" | "contracts" | "pools">;

/** How a swap is done: one native for one wrapped native, or through pools of Uniswap v3. */
export type SwapRoute =
  | { readonly kind: "wrap" }
  | { readonly kind: "unwrap" }
  | { readonly kind: "pools"; readonly path: SwapPath };

/** A swap that can be made now. */
export interface Swap {
  readonly route: SwapRoute;
  /** The zero address is native. */
  readonly input: Address;
  readonly output: Address;
  /** Smallest unit of the input. */
  readonly amountIn: bigint;
  /** Smallest unit of the output: what arrives, after what the token keeps of its transfer. */
  readonly amountOut: bigint;
  /** What the output token keeps of every transfer, in bps. */
  readonly transferFeeBps: bigint;
}

const SWAP_SOURCES = { wrap: "wrapped-native", unwrap: "wrapped-native", pools: "uniswap-v3" } as const;

/** Who makes a swap. */
export function swapSource({ route }: Pick<Swap, "route">): string {
  return SWAP_SOURCES[route.kind];
}
