import { type Address, BaseError, concat, ContractFunctionRevertedError, numberToHex } from "viem";

import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import { transferFeeOf } from "../../devchain/tokens.ts";
import {
  afterTransferFee,
  beforeTransferFee,
  findPaths,
  quoterAbi,
  type Swap,
  type SwapChain,
  type SwapPath,
  type SwapRoute,
} from "./swap.ts";

/** Two different currencies, and one of the amounts in the smallest unit. */
export type SwapParameters = {
  readonly chain: SwapChain;
  /** Address of the input currency; the zero address for native currency. */
  readonly input: Address;
  readonly output: Address;
} & (
  | { readonly amountIn: bigint; readonly amountOut?: never }
  | { readonly amountOut: bigint; readonly amountIn?: never }
);

export type SwapSearch =
  | { readonly kind: "found"; readonly swap: Swap }
  | { readonly kind: "no-route" }
  /** The pools hold too little, or the amount is too small to yield any output. */
  | { readonly kind: "no-liquidity" };

/**
 * Finds the best swap at the chain's current state: wrapping, unwrapping, or the best path of Uniswap v3 pools
 * according to the quoter. A token with a transfer fee can be bought but not sold, because pools require exact amounts.
 */
export async function findSwap(parameters: SwapParameters): Promise<SwapSearch> {
  const { chain, input, output } = parameters;
  const [tokenIn, tokenOut] = [input, output].map((currency) =>
    isEvmNative(currency) ? chain.contracts.wrappedNative : currency,
  ) as [Address, Address];
  if (isSameAddress(tokenIn, tokenOut)) {
    if (isSameAddress(input, output)) return { kind: "no-route" };
    const amount = parameters.amountIn ?? parameters.amountOut;
    const route: SwapRoute = isEvmNative(input) ? { kind: "wrap" } : { kind: "unwrap" };
    return { kind: "found", swap: { route, input, output, amountIn: amount, amountOut: amount, transferFeeBps: 0n } };
  }
  const paths = transferFeeOf(chain.tokens, tokenIn) > 0n ? [] : findPaths(chain.pools, tokenIn, tokenOut);
  if (paths.length === 0) return { kind: "no-route" };
  const swaps = await Promise.all(
    paths.map((path) => quotePath(parameters, path, transferFeeOf(chain.tokens, tokenOut))),
  );
  const best = swaps.filter((swap) => swap !== undefined).reduce<Swap | undefined>(better, undefined);
  return best === undefined ? { kind: "no-liquidity" } : { kind: "found", swap: best };
}

/** Encodes a path from the first token to the last. */
export function encodePath({ tokens, fees }: SwapPath): `0x${string}` {
  return concat(tokens.flatMap((token, index) => [token, ...fees.slice(index, index + 1).map(encodeFee)]));
}

/** Encodes a path from the last token to the first, as Uniswap's contracts require for exact outputs. */
export function encodeReversedPath({ tokens, fees }: SwapPath): `0x${string}` {
  return encodePath({ tokens: tokens.toReversed(), fees: fees.toReversed() });
}

function encodeFee(fee: number): `0x${string}` {
  return numberToHex(fee, { size: 3 });
}

/** Quotes a path. Returns undefined if the pools cannot swap the amount. */
async function quotePath(
  parameters: SwapParameters,
  path: SwapPath,
  transferFeeBps: bigint,
): Promise<Swap | undefined> {
  const { chain, input, output } = parameters;
  const quoter = { address: chain.contracts.uniswapQuoter, abi: quoterAbi };
  const swap = { route: { kind: "pools", path }, input, output, transferFeeBps } as const;
  try {
    if (parameters.amountIn === undefined) {
      const { amountOut } = parameters;
      const { result } = await chain.client.simulateContract({
        ...quoter,
        functionName: "quoteExactOutput",
        args: [encodeReversedPath(path), beforeTransferFee(amountOut, transferFeeBps)],
      });
      return { ...swap, amountIn: result[0], amountOut };
    }
    const { amountIn } = parameters;
    const { result } = await chain.client.simulateContract({
      ...quoter,
      functionName: "quoteExactInput",
      args: [encodePath(path), amountIn],
    });
    const amountOut = afterTransferFee(result[0], transferFeeBps);
    return amountOut > 0n ? { ...swap, amountIn, amountOut } : undefined;
  } catch (error) {
    const isRefused =
      error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError) !== null;
    if (isRefused) return undefined;
    throw error;
  }
}

/** Returns the better swap; on a tie, the swap with the shorter path. */
function better(left: Swap | undefined, right: Swap): Swap {
  if (left === undefined) return right;
  return right.amountOut > left.amountOut || right.amountIn < left.amountIn ? right : left;
}
