import { type Address, parseAbi } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import { BPS_PER_WHOLE, mulDiv } from "@crosscall/protocol/encoding";
import { SVM_SWAP_AGGREGATOR } from "@crosscall/protocol/quote/rules";
import type { DevChain } from "../../devchain/devChain.ts";
import type { Pool } from "../../devchain/pools.ts";
import { isSimulated, type QuotedChain } from "../quotedChains.ts";

export type SwapChain = Pick<DevChain, "client" | "contracts" | "pools" | "tokens">;

export type SwapRoute =
  | { readonly kind: "wrap" }
  | { readonly kind: "unwrap" }
  | { readonly kind: "pools"; readonly path: SwapPath };

export interface Swap {
  readonly route: SwapRoute;
  /** Address of the input currency; the zero address for native currency. */
  readonly input: Address;
  readonly output: Address;
  /** Input amount in the smallest unit. */
  readonly amountIn: bigint;
  /** Output amount in the smallest unit, after the token's transfer fee. */
  readonly amountOut: bigint;
  /** In bps. */
  readonly transferFeeBps: bigint;
}

/** Names of swap sources in requests and records. */
const SWAP_SOURCES = { wrap: "wrapped-native", unwrap: "wrapped-native", pools: "uniswap-v3" } as const;

/** Returns the swap sources that quotes with this chain can use. */
export function swapSourcesOf(chain: QuotedChain): readonly string[] {
  if (isSimulated(chain)) return chain.vmType === "svm" ? [SVM_SWAP_AGGREGATOR] : [];
  const { pools, wrap } = SWAP_SOURCES;
  return chain.pools.length > 0 ? [pools, wrap] : [wrap];
}

export function swapSource({ route }: Pick<Swap, "route">): string {
  return SWAP_SOURCES[route.kind];
}

/** Returns the amount after the token's transfer fee, which the token rounds down. */
export function afterTransferFee(sent: bigint, feeBps: bigint): bigint {
  return sent - mulDiv(sent, feeBps, BPS_PER_WHOLE);
}

export function beforeTransferFee(arrives: bigint, feeBps: bigint): bigint {
  // The fee is rounded down, so the received amount is rounded up.
  return arrives === 0n ? 0n : mulDiv(arrives - 1n, BPS_PER_WHOLE, BPS_PER_WHOLE - feeBps) + 1n;
}

/** Maximum number of pools in a path. More pools cost more gas than a better price saves. */
const MAX_HOPS = 3;

export interface SwapPath {
  /** Tokens from input to output, one more than pools. */
  readonly tokens: readonly Address[];
  /** Fee of each pool, in millionths. */
  readonly fees: readonly number[];
}

/** Lists paths without repeated tokens, shortest first. */
export function findPaths(pools: readonly Pool[], input: Address, output: Address): SwapPath[] {
  const found: SwapPath[] = [];
  let open: SwapPath[] = [{ tokens: [input], fees: [] }];
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    const longer = open.flatMap((path) => extend(pools, path));
    found.push(...longer.filter((path) => endsAt(path, output)));
    open = longer.filter((path) => !endsAt(path, output));
  }
  return found;
}

function extend(pools: readonly Pool[], { tokens, fees }: SwapPath): SwapPath[] {
  const last = tokens.at(-1) ?? "";
  return pools.flatMap(({ tokens: [first, second], fee }) => {
    const next = isSameAddress(first, last) ? second : isSameAddress(second, last) ? first : undefined;
    if (next === undefined || tokens.some((token) => isSameAddress(token, next))) return [];
    return [{ tokens: [...tokens, next], fees: [...fees, fee] }];
  });
}

function endsAt({ tokens }: SwapPath, output: Address): boolean {
  return isSameAddress(tokens.at(-1) ?? "", output);
}

/** ABI of QuoterV2, which executes the swap and then reverts it. */
export const quoterAbi = parseAbi([
  "function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut, uint160[] sqrtPriceX96AfterList, uint32[] initializedTicksCrossedList, uint256 gasEstimate)",
  "function quoteExactOutput(bytes path, uint256 amountOut) returns (uint256 amountIn, uint160[] sqrtPriceX96AfterList, uint32[] initializedTicksCrossedList, uint256 gasEstimate)",
]);

export const swapRouterAbi = parseAbi([
  "function multicall(bytes[] data) payable returns (bytes[] results)",
  "function exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params) payable returns (uint256 amountOut)",
  "function exactOutput((bytes path, address recipient, uint256 amountOut, uint256 amountInMaximum) params) payable returns (uint256 amountIn)",
  "function pull(address token, uint256 value) payable",
  "function wrapETH(uint256 value) payable",
  "function sweepToken(address token, uint256 amountMinimum, address recipient) payable",
  "function unwrapWETH9(uint256 amountMinimum, address recipient) payable",
  "function refundETH() payable",
]);

/** Recipient with which SwapRouter02 keeps the output. */
export const SWAP_ROUTER_ITSELF: Address = "0x0000000000000000000000000000000000000002";

export const wrappedNativeAbi = parseAbi(["function deposit() payable", "function withdraw(uint256 amount)"]);
