import type { Address } from "viem";

import { BPS_PER_WHOLE, mulDiv } from "@crosscall/sdk/internal/core/amounts";
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

/** What arrives of an amount that is sent: the token rounds its fee down. */
export function afterTransferFee(sent: bigint, feeBps: bigint): bigint {
  return sent - mulDiv(sent, feeBps, BPS_PER_WHOLE);
}

/** The smallest amount to send of which this much arrives. */
export function beforeTransferFee(arrives: bigint, feeBps: bigint): bigint {
  // The fee is rounded down, and so what arrives up: n arrive where more than n - 1 would without rounding.
  return arrives === 0n ? 0n : mulDiv(arrives - 1n, BPS_PER_WHOLE, BPS_PER_WHOLE - feeBps) + 1n;
}
