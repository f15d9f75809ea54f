import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256 } from "viem";

import { isEvmNative } from "@crosscall/protocol/chains";
import type { ChainContracts } from "../../devchain/contracts.ts";
import type { DevChain, EvmCall } from "../../devchain/devChain.ts";
import { approvalCalls, approveCall } from "../approvalCalls.ts";
import { encodePath, encodeReversedPath } from "./findSwap.ts";
import { beforeTransferFee, type Swap, SWAP_ROUTER_ITSELF, swapRouterAbi, wrappedNativeAbi } from "./swap.ts";
import { localSweeperAbi } from "../../../abi/localContracts.generated.ts";

/** Contracts and tokens of a swap's chain. */
type Venue = Pick<DevChain, "contracts" | "tokens">;

export interface ExactInputTerms {
  readonly recipient: Address;
  /** Minimum output, in its smallest unit. */
  readonly minimumOut: bigint;
}

/** Swaps all of `amountIn`, which the caller holds or sends as native currency. No allowance remains. */
export function exactInputCalls(chain: Venue, swap: Swap, terms: ExactInputTerms): EvmCall[] {
  const { contracts } = chain;
  const { route, input, output, amountIn } = swap;
  const { wrappedNative, uniswapRouter } = contracts;
  const { recipient, minimumOut } = terms;
  switch (route.kind) {
    case "wrap":
      return [wrapTo(contracts, recipient, amountIn)];
    case "unwrap":
      return [transfer(wrappedNative, uniswapRouter, amountIn), unwrapTo(contracts, recipient, minimumOut)];
    case "pools": {
      const params = {
        path: encodePath(route.path),
        recipient: isEvmNative(output) ? SWAP_ROUTER_ITSELF : recipient,
        amountIn,
        amountOutMinimum: beforeTransferFee(minimumOut, swap.transferFeeBps),
      };
      const swapData = encodeFunctionData({ abi: swapRouterAbi, functionName: "exactInput", args: [params] });
      const main = {
        to: uniswapRouter,
        data: isEvmNative(output) ? andUnwrap(swapData, recipient, minimumOut) : swapData,
        // SwapRouter02 wraps native input.
        value: isEvmNative(input) ? amountIn : 0n,
      };
      return isEvmNative(input) ? [main] : [...allow(chain, input, amountIn), main];
    }
  }
}

export interface ExactOutputTerms {
  readonly recipient: Address;
  /** Maximum input in its smallest unit, which the caller holds. */
  readonly maximumIn: bigint;
  /** Recipient of the unused input, which is wrapped if the input is native currency. */
  readonly leftoverTo: Address;
}

/** Returns calls that yield exactly `amountOut` and return the unused input. */
export function exactOutputCalls(chain: Venue, swap: Swap, terms: ExactOutputTerms): EvmCall[] {
  const { contracts } = chain;
  const { route, input, output, amountOut } = swap;
  if (route.kind !== "pools") {
    return exactInputCalls(chain, swap, { recipient: terms.recipient, minimumOut: amountOut });
  }
  const { recipient, maximumIn, leftoverTo } = terms;
  const { uniswapRouter, sweeper, wrappedNative } = contracts;
  const isFromNative = isEvmNative(input);
  const token = isFromNative ? wrappedNative : input;
  const params = {
    path: encodeReversedPath(route.path),
    recipient: isEvmNative(output) ? SWAP_ROUTER_ITSELF : recipient,
    amountOut: beforeTransferFee(amountOut, swap.transferFeeBps),
    amountInMaximum: maximumIn,
  };
  const swapData = encodeFunctionData({ abi: swapRouterAbi, functionName: "exactOutput", args: [params] });
  return [
    // Wraps first. Otherwise, unused native currency would mix with the native currency of the order's calls.
    ...(isFromNative ? [wrap(contracts, maximumIn)] : []),
    ...allow(chain, token, maximumIn),
    {
      to: uniswapRouter,
      data: isEvmNative(output) ? andUnwrap(swapData, recipient, amountOut) : swapData,
      value: 0n,
    },
    approveCall(token, uniswapRouter, 0n),
    approveCall(token, sweeper, maxUint256),
    {
      to: sweeper,
      data: encodeFunctionData({ abi: localSweeperAbi, functionName: "sweep", args: [token, leftoverTo] }),
      value: 0n,
    },
    approveCall(token, sweeper, 0n),
  ];
}

/**
 * Returns the calls that set an allowance. The public router may already have an allowance, because anyone can make the
 * router approve.
 */
function allow({ contracts, tokens }: Venue, token: Address, amount: bigint): EvmCall[] {
  return approvalCalls(tokens, { token, spender: contracts.uniswapRouter, amount, mayHaveAllowance: true });
}

function transfer(token: Address, to: Address, amount: bigint): EvmCall {
  return {
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] }),
    value: 0n,
  };
}

function wrap({ wrappedNative }: ChainContracts, amount: bigint): EvmCall {
  return {
    to: wrappedNative,
    data: encodeFunctionData({ abi: wrappedNativeAbi, functionName: "deposit" }),
    value: amount,
  };
}

/**
 * Wraps through the swap router. Oracles do not count a transfer from the recipient to itself, and the recipient can be
 * the caller.
 */
function wrapTo({ wrappedNative, uniswapRouter }: ChainContracts, recipient: Address, amount: bigint): EvmCall {
  const calls = [
    encodeFunctionData({ abi: swapRouterAbi, functionName: "wrapETH", args: [amount] }),
    encodeFunctionData({ abi: swapRouterAbi, functionName: "sweepToken", args: [wrappedNative, amount, recipient] }),
  ];
  return {
    to: uniswapRouter,
    data: encodeFunctionData({ abi: swapRouterAbi, functionName: "multicall", args: [calls] }),
    value: amount,
  };
}

function unwrapData(recipient: Address, minimumOut: bigint): Hex {
  return encodeFunctionData({ abi: swapRouterAbi, functionName: "unwrapWETH9", args: [minimumOut, recipient] });
}

function unwrapTo({ uniswapRouter }: ChainContracts, recipient: Address, minimumOut: bigint): EvmCall {
  return { to: uniswapRouter, data: unwrapData(recipient, minimumOut), value: 0n };
}

function andUnwrap(swapData: Hex, recipient: Address, minimumOut: bigint): Hex {
  return encodeFunctionData({
    abi: swapRouterAbi,
    functionName: "multicall",
    args: [[swapData, unwrapData(recipient, minimumOut)]],
  });
}
