import { type Abi, erc1155Abi, erc20Abi, erc4626Abi, erc721Abi, multicall3Abi, parseAbi } from "viem";

import { depositoryAbi, destinationProxyAbi, livePullerAbi, pushExecutorAbi, routerAbi } from "@crosscall/protocol/abi";
import { localDollarAbi } from "../../abi/localDollar.generated.ts";

const typedProxyAbi = parseAbi([
  "function executeNative(address recipient, uint256 minimumIn, uint256 minimumOut, uint256 deadline) payable returns (uint256 amountIn, uint256 amountOut)",
  "function repay(address borrower, uint256 minimumIn, uint256 minimumRepaid, uint256 deadline) returns (uint256 amountIn, uint256 amountRepaid)",
  "function repayNative(address borrower, uint256 minimumIn, uint256 minimumRepaid, uint256 deadline) payable returns (uint256 amountIn, uint256 amountRepaid)",
  "event Repaid(address indexed caller, address indexed borrower, uint256 amountIn, uint256 amountRepaid)",
  "error NativeNotTaken(address inputToken, address wrappedNative)",
  "error NativeRefused(address sender)",
  "error NativeTransferFailed(address recipient, uint256 amount, bytes returnData)",
  "error RecipientIsPlaceholder(address recipient)",
  "error BalanceUnreadable(address token)",
  "error Reentered()",
]);

const oldTokenAbi = parseAbi(["error ApprovalNotZero(uint256 current, uint256 wanted)"]);

const wrappedNativeAbi = parseAbi([
  "function deposit() payable",
  "function withdraw(uint256 amount)",
  "event Deposit(address indexed dst, uint256 wad)",
  "event Withdrawal(address indexed src, uint256 wad)",
]);

const marketsAbi = parseAbi([
  "struct FirstSingle { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "struct SecondSingle { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "struct FirstPath { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }",
  "struct SecondPath { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }",
  "function exactInputSingle(FirstSingle params) payable returns (uint256 amountOut)",
  "function exactInputSingle(SecondSingle params) payable returns (uint256 amountOut)",
  "function exactInput(FirstPath params) payable returns (uint256 amountOut)",
  "function exactInput(SecondPath params) payable returns (uint256 amountOut)",
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
  "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable returns (uint256[] amounts)",
  "function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
  "function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes data) returns (int256 amount0, int256 amount1)",
  "function uniswapV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes data)",
  "function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint8 feeProtocol, bool unlocked)",
  "function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)",
  "function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)",
  "function exchange(int128 i, int128 j, uint256 dx, uint256 min_dy) returns (uint256 dy)",
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
  "event Sync(uint112 reserve0, uint112 reserve1)",
  "event Supply(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referralCode)",
  "event Repay(address indexed reserve, address indexed user, address indexed repayer, uint256 amount, bool useATokens)",
  "event Supply(address indexed from, address indexed dst, uint256 amount)",
]);

/** ABIs with return types: first the kit's, then those of standards. */
export const STANDARD_ABIS: readonly Abi[] = [
  routerAbi,
  destinationProxyAbi,
  typedProxyAbi,
  pushExecutorAbi,
  livePullerAbi,
  depositoryAbi,
  localDollarAbi,
  oldTokenAbi,
  wrappedNativeAbi,
  erc20Abi,
  erc4626Abi,
  erc721Abi,
  erc1155Abi,
  multicall3Abi,
  marketsAbi,
];
