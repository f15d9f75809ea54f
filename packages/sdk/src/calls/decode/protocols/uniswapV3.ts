import type { KnownFunction, ProtocolFamily } from "../knownFunction.ts";

const hint = "Pass the user as the recipient.";
const hintForm = "Call the variant with a recipient, and pass the user.";

const STRUCTS = {
  Single: "tokenIn; address tokenOut; uint24 fee; address recipient;",
  Path: "bytes path; address recipient;",
} as const;

function swap(
  name: string,
  struct: string,
  tokens: readonly [tokenIn: string, tokenOut: string],
  amounts: readonly [amountIn: string, amountOut: string],
): KnownFunction {
  const [tokenIn, tokenOut] = tokens;
  const [amountIn, amountOut] = amounts;
  const isExactOut = amounts === exactOut;
  return {
    signature: `function ${name}(${struct} params) payable`,
    amounts: { [`params.${amountOut}`]: tokenOut },
    takes: { token: tokenIn, amount: `params.${amountIn}`, isMaximum: isExactOut },
    gives: {
      token: tokenOut,
      recipient: "params.recipient",
      hint,
      ...(isExactOut ? { amount: `params.${amountOut}` } : {}),
    },
    ...(isExactOut ? {} : { minimumOut: `params.${amountOut}` }),
  };
}

const single = ["params.tokenIn", "params.tokenOut"] as const;
const forward = ["first:params.path", "last:params.path"] as const;
// The path of an exact-output swap starts with the output token.
const backward = ["last:params.path", "first:params.path"] as const;
const exactIn = ["amountIn", "amountOutMinimum"] as const;
const exactOut = ["amountInMaximum", "amountOut"] as const;

const unwrapped = { amountMinimum: "@native" };
const swept = { amountMinimum: "token" };

const IN = "uint256 amountIn; uint256 amountOutMinimum;";
const OUT = "uint256 amountOut; uint256 amountInMaximum;";
const LIMIT = "uint160 sqrtPriceLimitX96;";
const DEADLINE = "uint256 deadline;";

/** Both Uniswap v3 routers; the first has a deadline in its parameters. */
export const uniswapV3: ProtocolFamily = /* @__PURE__ */ buildUniswapV3();

// Builds the family in a function, because bundlers keep top-level calls.
function buildUniswapV3(): ProtocolFamily {
  return {
    name: "Uniswap v3",
    structs: [
      `struct SingleIn1 { address ${STRUCTS.Single} ${DEADLINE} ${IN} ${LIMIT} }`,
      `struct SingleIn2 { address ${STRUCTS.Single} ${IN} ${LIMIT} }`,
      `struct PathIn1 { ${STRUCTS.Path} ${DEADLINE} ${IN} }`,
      `struct PathIn2 { ${STRUCTS.Path} ${IN} }`,
      `struct SingleOut1 { address ${STRUCTS.Single} ${DEADLINE} ${OUT} ${LIMIT} }`,
      `struct SingleOut2 { address ${STRUCTS.Single} ${OUT} ${LIMIT} }`,
      `struct PathOut1 { ${STRUCTS.Path} ${DEADLINE} ${OUT} }`,
      `struct PathOut2 { ${STRUCTS.Path} ${OUT} }`,
    ],
    functions: [
      ...["SingleIn1", "SingleIn2"].map((struct) => swap("exactInputSingle", struct, single, exactIn)),
      ...["PathIn1", "PathIn2"].map((struct) => swap("exactInput", struct, forward, exactIn)),
      ...["SingleOut1", "SingleOut2"].map((struct) => swap("exactOutputSingle", struct, single, exactOut)),
      ...["PathOut1", "PathOut2"].map((struct) => swap("exactOutput", struct, backward, exactOut)),
      {
        signature: "function unwrapWETH9(uint256 amountMinimum, address recipient) payable",
        amounts: unwrapped,
        gives: { token: "@native", recipient: "recipient", hint },
      },
      {
        signature: "function unwrapWETH9(uint256 amountMinimum) payable",
        amounts: unwrapped,
        gives: { token: "@native", recipient: "@caller", hint: hintForm },
      },
      {
        signature: "function sweepToken(address token, uint256 amountMinimum, address recipient) payable",
        amounts: swept,
        gives: { token: "token", recipient: "recipient", hint },
      },
      {
        signature: "function sweepToken(address token, uint256 amountMinimum) payable",
        amounts: swept,
        gives: { token: "token", recipient: "@caller", hint: hintForm },
      },
      {
        signature: "function refundETH() payable",
        gives: { token: "@native", recipient: "@caller", hint: "Sweep the native currency afterwards." },
      },
      { signature: "function multicall(bytes[] data) payable" },
      { signature: "function multicall(uint256 deadline, bytes[] data) payable" },
    ],
  };
}

/** Universal router, whose commands are not decoded. */
export const universalRouter: ProtocolFamily = {
  name: "universal router",
  functions: [
    { signature: "function execute(bytes commands, bytes[] inputs) payable" },
    { signature: "function execute(bytes commands, bytes[] inputs, uint256 deadline) payable" },
  ],
};
