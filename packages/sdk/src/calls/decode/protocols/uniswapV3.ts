import type { KnownFunction, ProtocolFamily } from "../knownFunction.ts";
import { SWAP_ROUTERS, type SwapRouterRules } from "../swapRouters.ts";

const hint = "Pass the user as the recipient.";
const hintForm = "Call the variant with a recipient, and pass the user.";

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

const IN = "uint256 amountIn; uint256 amountOutMinimum;";
const OUT = "uint256 amountOut; uint256 amountInMaximum;";
const LIMIT = "uint160 sqrtPriceLimitX96;";
const DEADLINE = "uint256 deadline;";

const swept = { amountMinimum: "token" };
const FEE = "uint256 feeBips, address feeRecipient";

/**
 * Swaps of one of Uniswap's v3 routers or its forks; the structs of the first router have a deadline. `pool` is the
 * parameter that selects a pool of two tokens.
 */
function buildRouter(
  router: SwapRouterRules,
  deadline: string,
  more: readonly KnownFunction[],
  pool = "uint24 fee;",
): ProtocolFamily {
  const tokens = `address tokenIn; address tokenOut; ${pool} address recipient; ${deadline}`;
  return {
    name: "Uniswap v3",
    router,
    structs: [
      `struct SingleIn { ${tokens} ${IN} ${LIMIT} }`,
      `struct PathIn { bytes path; address recipient; ${deadline} ${IN} }`,
      `struct SingleOut { ${tokens} ${OUT} ${LIMIT} }`,
      `struct PathOut { bytes path; address recipient; ${deadline} ${OUT} }`,
    ],
    functions: [
      swap("exactInputSingle", "SingleIn", single, exactIn),
      swap("exactInput", "PathIn", forward, exactIn),
      swap("exactOutputSingle", "SingleOut", single, exactOut),
      swap("exactOutput", "PathOut", backward, exactOut),
      ...more,
    ],
  };
}

/** Forks of the first router, which select pools by a tick spacing (Slipstream) or only by tokens (Algebra). */
export const slipstream: ProtocolFamily = /* @__PURE__ */ buildRouter(
  SWAP_ROUTERS.swapRouter,
  DEADLINE,
  [],
  "int24 tickSpacing;",
);
export const algebra: ProtocolFamily = /* @__PURE__ */ buildRouter(SWAP_ROUTERS.swapRouter, DEADLINE, [], "");

// Builds the families in functions, because bundlers keep top-level calls.
export const swapRouter: ProtocolFamily = /* @__PURE__ */ buildRouter(SWAP_ROUTERS.swapRouter, DEADLINE, []);

export const swapRouter02: ProtocolFamily = /* @__PURE__ */ buildRouter(SWAP_ROUTERS.swapRouter02, "", [
  {
    signature:
      "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable",
    amounts: { amountOutMin: "last:path" },
    takes: { token: "first:path", amount: "amountIn" },
    minimumOut: "amountOutMin",
    gives: { token: "last:path", recipient: "to", hint: "Pass the user as `to`." },
  },
  {
    signature:
      "function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to) payable",
    amounts: { amountOut: "last:path" },
    takes: { token: "first:path", amount: "amountInMax", isMaximum: true },
    gives: { token: "last:path", recipient: "to", amount: "amountOut", hint: "Pass the user as `to`." },
  },
  { signature: "function pull(address token, uint256 amount) payable", amounts: { amount: "token" }, isOpaque: true },
  { signature: "function wrapETH(uint256 amount) payable", amounts: { amount: "@native" }, isOpaque: true },
  { signature: "function multicall(bytes32 previousBlockhash, bytes[] data) payable" },
  { signature: "function multicall(uint256 deadline, bytes[] data) payable" },
]);

/** Functions of both Uniswap v3 routers, and the second router's variants that pay its caller. */
export const uniswapPeriphery: ProtocolFamily = /* @__PURE__ */ buildPeriphery();

function buildPeriphery(): ProtocolFamily {
  const wrapped = { uses: { token: "@wrapped", amount: "@all" }, amounts: unwrapped };
  const held = { uses: { token: "token", amount: "@all" }, amounts: swept };
  const permit = "uint8 v, bytes32 r, bytes32 s) payable";
  const signed = { by: "@caller" };
  const optional = { ...signed, isOptional: true } as const;
  return {
    name: "Uniswap v3",
    router: SWAP_ROUTERS.periphery,
    functions: [
      ...["", `, ${FEE}`].flatMap((fee): KnownFunction[] => {
        const [unwrap, sweep] =
          fee === "" ? ["unwrapWETH9", "sweepToken"] : ["unwrapWETH9WithFee", "sweepTokenWithFee"];
        return [
          {
            signature: `function ${unwrap}(uint256 amountMinimum, address recipient${fee}) payable`,
            ...wrapped,
            gives: { token: "@native", recipient: "recipient", hint },
          },
          {
            signature: `function ${unwrap}(uint256 amountMinimum${fee}) payable`,
            ...wrapped,
            gives: { token: "@native", recipient: "@caller", hint: hintForm },
          },
          {
            signature: `function ${sweep}(address token, uint256 amountMinimum, address recipient${fee}) payable`,
            ...held,
            gives: { token: "token", recipient: "recipient", hint },
          },
          {
            signature: `function ${sweep}(address token, uint256 amountMinimum${fee}) payable`,
            ...held,
            gives: { token: "token", recipient: "@caller", hint: hintForm },
          },
        ];
      }),
      {
        signature: "function refundETH() payable",
        uses: { token: "@native", amount: "@all" },
        gives: { token: "@native", recipient: "@caller", hint: "Sweep the native currency afterwards." },
      },
      // Uniswap/v3-periphery, SelfPermit.sol: the permits of the caller for the router.
      { signature: `function selfPermit(address token, uint256 value, uint256 deadline, ${permit}`, signed },
      {
        signature: `function selfPermitIfNecessary(address token, uint256 value, uint256 deadline, ${permit}`,
        signed: optional,
      },
      { signature: `function selfPermitAllowed(address token, uint256 nonce, uint256 expiry, ${permit}`, signed },
      {
        signature: `function selfPermitAllowedIfNecessary(address token, uint256 nonce, uint256 expiry, ${permit}`,
        signed: optional,
      },
      { signature: "function multicall(bytes[] data) payable" },
    ],
  };
}
