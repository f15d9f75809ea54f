import {
  type Abi,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  parseAbi,
  slice,
  toFunctionSelector,
  toFunctionSignature,
} from "viem";

import type { Call } from "../../../../../packages/protocol/src/common/call.ts";

// Written from the protocols' published interfaces and spec 4, section 3, independently of the kit's recipes.
const abi = parseAbi([
  // EIP-20, EIP-4626
  "function approve(address spender, uint256 amount)",
  "function transfer(address to, uint256 amount)",
  "function deposit(uint256 assets, address receiver)",
  // Router of the service, version 3
  "function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts, bytes metadata)",
  "function cleanupNative(uint256 amount, address recipient, bytes metadata)",
  "function cleanupNativeViaCall(uint256 amount, address to, bytes data)",
  // The kit's contracts
  "function execute(address recipient, uint256 minimumIn, uint256 minimumOut, uint256 deadline)",
  "function executeNative(address recipient, uint256 minimumIn, uint256 minimumOut, uint256 deadline)",
  "function repay(address borrower, uint256 minimumIn, uint256 minimumRepaid, uint256 deadline)",
  "function repayNative(address borrower, uint256 minimumIn, uint256 minimumRepaid, uint256 deadline)",
  "function execute()",
  "function pullAndExecute(address token)",
  // Aave v3: IPool
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
  "function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf)",
  // Compound v3: CometMainInterface
  "function supplyTo(address dst, address asset, uint amount)",
  // Uniswap: IUniswapV2Router01, ISwapRouter, IV3SwapRouter, IUniversalRouter
  "function swapExactTokensForTokens(uint amountIn, uint amountOutMin, address[] path, address to, uint deadline)",
  "function swapExactTokensForETH(uint amountIn, uint amountOutMin, address[] path, address to, uint deadline)",
  "function swapExactETHForTokens(uint amountOutMin, address[] path, address to, uint deadline)",
  "struct First1 { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "struct First { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }",
  "struct Second1 { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "struct Second { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }",
  "function exactInputSingle(First1 params)",
  "function exactInput(First params)",
  "function exactInputSingle(Second1 params)",
  "function exactInput(Second params)",
  "function execute(bytes commands, bytes[] inputs, uint256 deadline)",
  // Morpho Blue: IMorpho
  "struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }",
  "function supply(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, bytes data)",
  "function supplyCollateral(MarketParams marketParams, uint256 assets, address onBehalf, bytes data)",
  "function repay(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, bytes data)",
  // Curve: StableSwap, StableSwap-NG, CryptoSwap, Twocrypto-NG
  "function exchange(int128 i, int128 j, uint256 dx, uint256 min_dy)",
  "function exchange(int128 i, int128 j, uint256 dx, uint256 min_dy, address receiver)",
  "function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy)",
  "function exchange(uint256 i, uint256 j, uint256 dx, uint256 min_dy, address receiver)",
  "function add_liquidity(uint256[2] amounts, uint256 min_mint_amount)",
  "function add_liquidity(uint256[3] amounts, uint256 min_mint_amount)",
  "function add_liquidity(uint256[2] amounts, uint256 min_mint_amount, address receiver)",
  "function add_liquidity(uint256[] amounts, uint256 min_mint_amount, address receiver)",
  // Lido: stETH, wstETH
  "function submit(address referral)",
  "function wrap(uint256 stETHAmount)",
  // WETH9
  "function deposit()",
  "function withdraw(uint wad)",
  // Mint functions of NFT collections
  "function mint(address to, uint256 quantity)",
]);

/** Readable call: target, function, arguments, and the value if any. */
export type ReadCall = readonly unknown[];

/** Functions with a program after their arguments. */
const WITH_PROGRAM: ReadonlySet<string> = new Set(["execute()", "pullAndExecute(address)"]);

/** Decodes call data with the published interfaces. Only a program may follow the arguments. */
function readData(data: Hex): readonly [name: string, ...args: unknown[]] {
  if (data === "0x") return ["receive"];
  const item = abi.find((known) => toFunctionSelector(known) === slice(data, 0, 4));
  if (item === undefined) throw new Error(`no interface contains ${slice(data, 0, 4)}`);
  const { functionName, args = [] } = decodeFunctionData<Abi>({ abi: [item], data });
  const rest = data.slice(encodeFunctionData<Abi>({ abi: [item], functionName, args }).length);
  if (WITH_PROGRAM.has(toFunctionSignature(item))) return [functionName, ...args, `0x${rest}`];
  if (rest !== "") throw new Error(`${functionName} has bytes after its arguments`);
  return [functionName, ...args];
}

/** Returns the calls of plans with a router, in the format of {@link readCall}. */
export const callsOf = (router: string, recipient: string) => ({
  approval: (token: string, spender: string, amount: bigint): ReadCall => [token, "approve", spender, amount],
  sweep: (...tokens: string[]): ReadCall => [
    router,
    "cleanupErc20s",
    tokens,
    tokens.map(() => recipient),
    tokens.map(() => 0n),
    "0x",
  ],
  sweepNative: [router, "cleanupNative", 0n, recipient, "0x"] satisfies ReadCall,
});

/** Decodes a call, and its inner call if the router sends its native currency. */
export function readCall({ to, data, value }: Call): ReadCall {
  const [name, ...args] = readData(data as Hex);
  const inner = name === "cleanupNativeViaCall" ? [args[0], args[1], readData(args[2] as Hex)] : args;
  return [to, name, ...inner, ...(value === "0" ? [] : [{ value }])];
}
