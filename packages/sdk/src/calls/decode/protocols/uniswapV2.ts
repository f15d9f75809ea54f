import type { KnownFunction, ProtocolFamily } from "../knownFunction.ts";

const hint = "Pass the user as `to`.";
const bought = { token: "last:path", recipient: "to", hint };
const native = { token: "@native", recipient: "to", hint };
const exactIn = { token: "first:path", amount: "amountIn" };
const out = { amounts: { amountOutMin: "last:path" }, minimumOut: "amountOutMin" };

function exactInput(name: string, gives: typeof bought): KnownFunction[] {
  return [name, `${name}SupportingFeeOnTransferTokens`].map((each) => ({
    signature: `function ${each}(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)`,
    ...out,
    takes: exactIn,
    gives,
  }));
}

/** Uniswap v2's second router, and its forks. */
export const uniswapV2: ProtocolFamily = /* @__PURE__ */ buildUniswapV2();

// Builds the family in a function, because bundlers keep top-level calls.
function buildUniswapV2(): ProtocolFamily {
  return {
    name: "Uniswap v2",
    structs: ["struct Route { address from; address target; bool stable; address factory; }"],
    functions: [
      {
        // Aerodrome and Velodrome.
        signature:
          "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, Route[] routes, address to, uint256 deadline)",
        takes: { token: "routes.0.from", amount: "amountIn" },
        minimumOut: "amountOutMin",
        gives: { token: "@unknown", recipient: "to", hint },
      },
      ...exactInput("swapExactTokensForTokens", bought),
      ...exactInput("swapExactTokensForETH", native),
      ...(["Tokens", "ETH"] as const).map((output) => ({
        signature: `function swapTokensForExact${output}(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)`,
        amounts: { amountOut: "last:path" },
        takes: { token: "first:path", amount: "amountInMax", isMaximum: true },
        gives: { ...(output === "ETH" ? native : bought), amount: "amountOut" },
      })),
      {
        signature:
          "function swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline) payable",
        amounts: { amountOut: "last:path" },
        gives: { ...bought, amount: "amountOut" },
      },
      ...["swapExactETHForTokens", "swapExactETHForTokensSupportingFeeOnTransferTokens"].map((name) => ({
        signature: `function ${name}(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable`,
        ...out,
        gives: bought,
      })),
    ],
  };
}
