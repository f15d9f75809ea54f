import { type Address, parseAbi } from "viem";

/** QuoterV2 performs the swap and reverts it. */
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

/** With this recipient, SwapRouter02 keeps the output. */
export const SWAP_ROUTER_ITSELF: Address = "0x0000000000000000000000000000000000000002";

export const wrappedNativeAbi = parseAbi(["function deposit() payable", "function withdraw(uint256 amount)"]);
