import { type Abi, type Address, encodeAbiParameters, encodeFunctionData, type Hex, maxUint256, parseAbi } from "viem";

import type { CheckCallsParameters } from "../../packages/sdk/src/calls/index.ts";
import type { Call } from "../../packages/protocol/src/common/call.ts";
import { PERMIT2_ADDRESS } from "../../packages/protocol/src/chains/serviceAddresses.ts";
import { ROUTER_ADDRESS as ROUTER } from "../../packages/protocol/src/generations/routers.ts";

const account = (digit: string): Address => `0x${digit.repeat(40)}`;

const USER = account("1");
const DOLLAR = account("2");
const WRAPPED = account("3");
const VAULT = account("4");
const POOL = account("5");
const UNIVERSAL_ROUTER = account("6");
const SWAP_ROUTER = account("7");
const AGGREGATOR = account("8");
const NONE: Address = account("0");
const SELF: Address = `0x${"0".repeat(39)}2`;
const EMPTY: Hex = `0x${"0".repeat(64)}`;

/** Functions of the plan's calls. */
export const PLAN_ABI = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "struct Description { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }",
  "struct Call3 { address target; bool allowFailure; bytes callData; }",
  "function approve(address spender, uint256 amount)",
  "function approve(address token, address spender, uint160 amount, uint48 expiration)",
  "function permit(address owner, address spender, uint256 amount, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  "function execute(bytes commands, bytes[] inputs, uint256 deadline) payable",
  "function exactInputSingle(Single params) payable",
  "function sweepToken(address token, uint256 amountMinimum, address recipient) payable",
  "function multicall(bytes[] data) payable",
  "function swap(address executor, Description desc, bytes data) payable",
  "function exchange(int128 i, int128 j, uint256 dx, uint256 min_dy, address receiver) payable",
  "function deposit(uint256 assets, address receiver)",
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
  "function stake(uint256 amount)",
  "function aggregate3(Call3[] calls) payable",
  "function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts, bytes metadata)",
  "function cleanupNative(uint256 amount, address recipient, bytes metadata)",
]);

function encode(functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData<Abi>({ abi: PLAN_ABI, functionName, args });
}

function call(to: Address, functionName: string, ...args: readonly unknown[]): Call {
  return { to, data: encode(functionName, args), value: "0" };
}

const path: Hex = `${DOLLAR}0001f4${WRAPPED.slice(2)}`;
const swapTypes = [
  { type: "address" },
  { type: "uint256" },
  { type: "uint256" },
  { type: "bytes" },
  { type: "bool" },
] as const;
const swap = (recipient: Address, payerIsUser: boolean): Hex =>
  encodeAbiParameters(swapTypes, [recipient, 10n, 9n, path, payerIsUser]);
const sweep = (token: Address): Hex =>
  encodeAbiParameters([{ type: "address" }, { type: "address" }, { type: "uint256" }], [token, USER, 9n]);
const single = {
  tokenIn: DOLLAR,
  tokenOut: WRAPPED,
  fee: 500,
  amountIn: 10n,
  amountOutMinimum: 9n,
  sqrtPriceLimitX96: 0n,
};
const description = {
  srcToken: DOLLAR,
  dstToken: WRAPPED,
  srcReceiver: POOL,
  dstReceiver: USER,
  amount: 10n,
  minReturnAmount: 9n,
  flags: 0n,
};
const permit = [USER, VAULT, 10n, maxUint256, 27, EMPTY, EMPTY] as const;

/** A plan of 20 calls, with nested calls and commands of all kinds that the checker decodes. */
export const PLAN: CheckCallsParameters = {
  tradeType: "EXACT_OUTPUT",
  amount: "70",
  destinationCurrency: DOLLAR,
  recipient: USER,
  refundTo: USER,
  contracts: { router: ROUTER },
  txs: [
    call(DOLLAR, "approve", PERMIT2_ADDRESS, 20n),
    call(PERMIT2_ADDRESS, "approve", DOLLAR, UNIVERSAL_ROUTER, 20n, 0),
    call(UNIVERSAL_ROUTER, "execute", "0x00", [swap(USER, true)], maxUint256),
    call(UNIVERSAL_ROUTER, "execute", "0x000404", [swap(SELF, true), sweep(WRAPPED), sweep(DOLLAR)], maxUint256),
    call(DOLLAR, "approve", SWAP_ROUTER, 20n),
    call(SWAP_ROUTER, "exactInputSingle", { ...single, recipient: USER }),
    call(SWAP_ROUTER, "multicall", [
      encode("exactInputSingle", [{ ...single, recipient: SELF }]),
      encode("sweepToken", [WRAPPED, 9n, USER]),
    ]),
    call(DOLLAR, "approve", AGGREGATOR, 10n),
    call(AGGREGATOR, "swap", POOL, description, "0x"),
    call(DOLLAR, "approve", POOL, 10n),
    call(POOL, "exchange", 0n, 1n, 5n, 4n, USER),
    call(POOL, "supply", DOLLAR, 5n, USER, 0),
    call(DOLLAR, "permit", ...permit),
    call(DOLLAR, "approve", VAULT, 10n),
    call(VAULT, "deposit", 5n, USER),
    call(VAULT, "stake", 5n),
    call(account("9"), "aggregate3", [{ target: NONE, allowFailure: true, callData: encode("permit", permit) }]),
    call(ROUTER, "cleanupErc20s", [DOLLAR, WRAPPED], [USER, USER], [0n, 0n], "0x"),
    call(ROUTER, "cleanupNative", 0n, USER, "0x"),
    call(DOLLAR, "approve", PERMIT2_ADDRESS, 0n),
  ],
};
