import { type Address, parseAbi } from "viem";

import { EVM_NATIVE_CURRENCY, parseEvmAddress } from "@crosscall/protocol/chains";
import type { LiveAmount } from "../program/placeholder.ts";
import type { ProgramStep } from "../program/program.ts";
import type { Recipe } from "./recipe.ts";
import { type NativeEnd, parseNativeEnd, parseSwapTokens } from "./swapPath.ts";

export interface UniswapV2SwapArguments {
  /** Uniswap v2's router. */
  readonly swapRouter: Address;
  /** Tokens from input to output, with wrapped native currency for native ends. */
  readonly tokens: readonly Address[];
  /** The native end. Defaults to none. */
  readonly native?: NativeEnd;
}

const swapRouterAbi = parseAbi([
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
  "function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
  "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable returns (uint256[] amounts)",
]);

/** Swaps with Uniswap's v2 router, which reverts for fee-on-transfer tokens. */
export const uniswapV2Swap: Recipe<
  UniswapV2SwapArguments,
  "EXACT_INPUT" | "EXACT_OUTPUT",
  "program" | "nativeCall",
  "call"
> = {
  name: "uniswapV2.swap",
  about:
    "Takes the first token of the path, or native currency; the recipient receives the last token, or native currency.",
  argumentNames: { swapRouter: 1, tokens: 1, native: 1 },
  tradeTypes: ["EXACT_INPUT", "EXACT_OUTPUT"],
  liveWays: ["program", "nativeCall"],
  minimum: "call",
  use: (args, { recipient, minimumOut, deadline }) => {
    const { first, last, all } = parseSwapTokens(args.tokens);
    const target = parseEvmAddress(args.swapRouter, "args.swapRouter");
    const native = parseNativeEnd(args.native);
    const call = (amount: bigint | LiveAmount): ProgramStep =>
      native === "input"
        ? {
            target,
            abi: swapRouterAbi,
            functionName: "swapExactETHForTokens",
            args: [minimumOut, all, recipient, deadline],
            value: amount,
          }
        : {
            target,
            abi: swapRouterAbi,
            functionName: native === "output" ? "swapExactTokensForETH" : "swapExactTokensForTokens",
            args: [amount, minimumOut, all, recipient, deadline],
          };
    return {
      takes: native === "input" ? EVM_NATIVE_CURRENCY : first,
      input: native === "input" ? "value" : "allowance",
      takesExactly: true,
      credits: { kind: "token", token: native === "output" ? EVM_NATIVE_CURRENCY : last, to: "recipient" },
      call,
    };
  },
};
