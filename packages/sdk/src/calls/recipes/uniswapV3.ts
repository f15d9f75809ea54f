import { type Address, parseAbi } from "viem";

import { EVM_NATIVE_CURRENCY, parseEvmAddress } from "@crosscall/protocol/chains";
import type { Recipe } from "./recipe.ts";
import { parsePoolPath, requireRealRecipient } from "./swapPath.ts";
import { requireOneOf } from "@crosscall/protocol/common/rejectUnknownOptions";

export interface UniswapV3SwapArguments {
  /** One of Uniswap v3's two routers. */
  readonly swapRouter: Address;
  /** Router version. The functions have the same names but different parameters. */
  readonly generation: "SwapRouter" | "SwapRouter02";
  /** Tokens from input to output. */
  readonly tokens: readonly Address[];
  /** Pool fees between tokens, in hundredths of a basis point. */
  readonly fees: readonly number[];
  /** Whether the input is native currency; the first token must then be wrapped native currency. */
  readonly takesNative?: boolean;
}

const firstAbi = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "struct Multi { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }",
  "function exactInputSingle(Single params) payable returns (uint256 amountOut)",
  "function exactInput(Multi params) payable returns (uint256 amountOut)",
]);

const secondAbi = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "struct Multi { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }",
  "function exactInputSingle(Single params) payable returns (uint256 amountOut)",
  "function exactInput(Multi params) payable returns (uint256 amountOut)",
]);

const ABIS = { SwapRouter: firstAbi, SwapRouter02: secondAbi } as const;

/** Swaps with one of Uniswap's v3 routers. Native currency that the pools do not use stays on Uniswap's router. */
export const uniswapV3Swap: Recipe<
  UniswapV3SwapArguments,
  "EXACT_INPUT" | "EXACT_OUTPUT",
  "proxy" | "program",
  "call"
> = {
  name: "uniswapV3.swap",
  about: "Takes the first token of the path, or native currency; the recipient receives the last token.",
  argumentNames: { swapRouter: 1, generation: 1, tokens: 1, fees: 1, takesNative: 1 },
  tradeTypes: ["EXACT_INPUT", "EXACT_OUTPUT"],
  liveWays: ["proxy", "program"],
  minimum: "call",
  proxyFunction: "execute",
  use: (args, { recipient, minimumOut, deadline }) => {
    const { takesNative = false } = args;
    const path = parsePoolPath(args.tokens, args.fees);
    const target = parseEvmAddress(args.swapRouter, "args.swapRouter");
    const abi = ABIS[requireOneOf(args.generation, ["SwapRouter", "SwapRouter02"], "args.generation")];
    const [fee = 0, ...more] = path.fees;
    const common = {
      recipient: requireRealRecipient(recipient),
      amountOutMinimum: minimumOut,
      // The second router's structs have no deadline; viem encodes only the members in the ABI.
      ...(args.generation === "SwapRouter" ? { deadline } : {}),
    };
    const single = { ...common, tokenIn: path.first, tokenOut: path.last, fee, sqrtPriceLimitX96: 0n };
    return {
      takes: takesNative ? EVM_NATIVE_CURRENCY : path.first,
      input: takesNative ? "value" : "allowance",
      credits: { kind: "token", token: path.last, to: "recipient" },
      call: (amountIn) => ({
        target,
        abi,
        ...(more.length === 0
          ? { functionName: "exactInputSingle", args: [{ ...single, amountIn }] }
          : { functionName: "exactInput", args: [{ ...common, path: path.bytes, amountIn }] }),
        ...(takesNative ? { value: amountIn } : {}),
      }),
    };
  },
};
