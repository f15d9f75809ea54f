import {
  type Abi,
  type AbiParameter,
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  maxUint256,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  toFunctionSelector,
  zeroAddress,
} from "viem";

import { type CheckCallsParameters, encodeProgram, type Program } from "../../../../../packages/sdk/src/calls/index.ts";
import type { CheckedContracts, CheckedPlan } from "../../../../../packages/sdk/src/calls/check/parameters.ts";
import { checkCalls } from "../../../../../packages/sdk/src/calls/index.ts";
import type { Call } from "../../../../../packages/protocol/src/common/call.ts";
import { PERMIT2_ADDRESS } from "../../../../../packages/protocol/src/chains/serviceAddresses.ts";
import { OTHER_TOKEN, PROXY, RECIPIENT, ROUTER, TOKEN } from "../accounts.ts";

const account = (byte: string): Address => getAddress(`0x${byte.repeat(20)}`);

export const NATIVE = zeroAddress;
export const EXECUTOR = account("c1");
export const PULLER = account("c2");
export const POOL = account("c3");
export const VAULT = account("c4");
export const STRANGER = account("c5");
export const WRAPPED = account("c6");
/** A router of Uniswap. */
export const SWAP_ROUTER = account("c7");
export const PERMIT2 = PERMIT2_ADDRESS;

/** Placeholders of Uniswap's newer routers for their caller and themselves. */
export const CALLER = "0x0000000000000000000000000000000000000001";
export const SELF = "0x0000000000000000000000000000000000000002";

/** Amount that means the universal router's balance. */
export const OWN_BALANCE = 2n ** 255n;
export const MAX_UINT160 = 2n ** 160n - 1n;

/** Returns a call to the executor. */
export const run = (program: string): Call => ({
  to: EXECUTOR,
  data: concat([toFunctionSelector("function execute()"), program as Hex]),
  value: "0",
});

export const CONTRACTS: CheckedContracts = {
  router: ROUTER,
  pushExecutor: EXECUTOR,
  livePuller: PULLER,
  proxies: [{ address: PROXY, inputToken: TOKEN }],
};

/** Returns a call to the function with this signature. */
export function call(to: Address, signature: string, args: readonly unknown[] = [], value = "0"): Call {
  const abi: Abi = parseAbi([`function ${signature} payable`] as readonly string[]);
  const functionName = signature.slice(0, signature.indexOf("("));
  return { to, data: encodeFunctionData<Abi>({ abi, functionName, args }), value };
}

export const approve = (token: Address, spender: Address, amount: bigint): Call =>
  call(token, "approve(address, uint256)", [spender, amount]);

export const sweep = (token: Address, recipient: Address = RECIPIENT, amount = 0n): Call =>
  call(ROUTER, "cleanupErc20s(address[], address[], uint256[], bytes)", [[token], [recipient], [amount], "0x"]);

export const sweepNative = (recipient: Address = RECIPIENT): Call =>
  call(ROUTER, "cleanupNative(uint256, address, bytes)", [0n, recipient, "0x"]);

export const supply = (asset: Address, amount: bigint, onBehalfOf: Address = RECIPIENT): Call =>
  call(POOL, "supply(address, uint256, address, uint16)", [asset, amount, onBehalfOf, 0]);

/** Returns a check of calls that spend 100 of the token, with the given changes. */
export function check(
  txs: readonly Call[],
  {
    contracts = CONTRACTS,
    facts,
    ...plan
  }: Partial<Omit<CheckedPlan, "txs">> & Partial<Pick<CheckCallsParameters, "contracts" | "facts">> = {},
): CheckCallsParameters {
  return {
    tradeType: "EXACT_OUTPUT",
    amount: "100",
    destinationCurrency: TOKEN,
    recipient: RECIPIENT,
    refundTo: RECIPIENT,
    ...plan,
    txs,
    contracts,
    ...(facts === undefined ? {} : { facts }),
  };
}

/** Returns the code and position of each finding. */
export function found(parameters: CheckCallsParameters): [code: string, index: number | undefined][] {
  return checkCalls(parameters).map(({ code, index }) => [code, index]);
}

/** Returns a call to a typed proxy. */
export const execute = (
  proxy: Address,
  { recipient = RECIPIENT, minimumOut = 90n, deadline = maxUint256 } = {},
  functionName: "execute" | "repay" | "executeNative" | "repayNative" = "execute",
): Call => call(proxy, `${functionName}(address, uint256, uint256, uint256)`, [recipient, 1n, minimumOut, deadline]);

export const nativeViaCall = (to: Address, data: string, amount = 0n): Call =>
  call(ROUTER, "cleanupNativeViaCall(uint256, address, bytes)", [amount, to, data]);

export const tokenViaCall = (token: Address, to: Address, data: string): Call =>
  call(ROUTER, "cleanupErc20sViaCall(address[], address[], bytes[], uint256[])", [[token], [to], [data], [0n]]);

const EXECUTOR_CONTRACTS = { executor: EXECUTOR, livePuller: PULLER, router: ROUTER };

/** Returns a program of one step that declares a token. */
export const programOf = (step: Call, change: Partial<Program> = {}): Hex =>
  encodeProgram(
    {
      recipient: RECIPIENT,
      tokens: [{ token: TOKEN }],
      steps: [{ target: step.to as Address, data: step.data as Hex }],
      ...change,
    },
    EXECUTOR_CONTRACTS,
  );

export const program = (token: Address | "native", minimumIn = 1n): Hex =>
  programOf({ to: POOL, data: "0x12345678", value: "0" }, { tokens: [{ token, minimumIn }] });

/** Facts about a token that changes allowances only from or to zero. */
export const strict = (allowance?: bigint) => ({
  facts: {
    tokens: [{ address: TOKEN, refusesAllowanceChange: true }],
    ...(allowance === undefined ? {} : { allowances: [{ token: TOKEN, spender: POOL, amount: allowance }] }),
  },
});

/** Returns calls that send all of the token to the proxy. */
export const proxiedFor = (minimumOut: bigint): Call[] => [
  approve(TOKEN, PROXY, maxUint256),
  execute(PROXY, { minimumOut }),
  approve(TOKEN, PROXY, 0n),
];

/** Returns a swap that can take less than the maximum. */
export const buyFor = (amountOut: bigint, amountInMaximum: bigint): Call =>
  call(POOL, "exactOutputSingle((address, address, uint24, address, uint256, uint256, uint160) params)", [
    [WRAPPED, OTHER_TOKEN, 500, RECIPIENT, amountOut, amountInMaximum, 0n],
  ]);

/** Returns a change of the router's allowance in Permit2. */
export const permit2Approve = (token: Address, spender: Address, amount: bigint, expiration = 0): Call =>
  call(PERMIT2, "approve(address, address, uint160, uint48)", [token, spender, amount, expiration]);

/** Command of the universal router: its number, and the types and values of its input. */
export type Command = readonly [code: number, types: string, values: readonly unknown[]];

const encode = (types: string, values: readonly unknown[]): Hex =>
  encodeAbiParameters<readonly AbiParameter[]>(parseAbiParameters(types), values);

/** Encodes commands or actions as two arguments: their numbers, and their inputs. */
export const packCommands = (commands: readonly Command[]): [Hex, Hex[]] => [
  commands.length === 0 ? "0x" : concat(commands.map(([code]) => numberToHex(code, { size: 1 }))),
  commands.map(([, types, values]) => encode(types, values)),
];

/** Returns a call to the universal router. */
export const executeCommands = (commands: readonly Command[], value = "0"): Call =>
  call(SWAP_ROUTER, "execute(bytes, bytes[], uint256)", [...packCommands(commands), maxUint256], value);

const SWAP_TYPES = "address, uint256, uint256, bytes, bool";

/** Returns a swap of the universal router with exact input from TOKEN to OTHER_TOKEN. */
export const swapCommand = ({
  recipient = RECIPIENT,
  amountIn = 100n,
  minimumOut = 90n,
  tokens = [TOKEN, OTHER_TOKEN] as readonly [Address, Address],
  payerIsUser = true,
} = {}): Command => [
  0x00,
  SWAP_TYPES,
  [recipient, amountIn, minimumOut, concat([tokens[0], "0x0001f4", tokens[1]]), payerIsUser],
];

/** Amount that a swap with exact output buys. */
export const BOUGHT = 50n;

/** Returns a swap of the universal router with exact output from TOKEN to OTHER_TOKEN. */
export const buyCommand = ({
  recipient = RECIPIENT,
  maximum = 100n,
  tokens = [TOKEN, OTHER_TOKEN] as readonly [Address, Address],
  payerIsUser = true,
} = {}): Command => [
  0x01,
  SWAP_TYPES,
  [recipient, BOUGHT, maximum, concat([tokens[1], "0x0001f4", tokens[0]]), payerIsUser],
];

export const sweepCommand = (token: Address, recipient: Address = RECIPIENT, minimum = 0n): Command => [
  0x04,
  "address, address, uint256",
  [token, recipient, minimum],
];

/** Returns a swap of Uniswap's second router with exact input. */
export const swap02 = (recipient: Address, amountIn = 100n): Call =>
  call(SWAP_ROUTER, "exactInputSingle((address, address, uint24, address, uint256, uint256, uint160) params)", [
    [TOKEN, OTHER_TOKEN, 500, recipient, amountIn, 90n, 0n],
  ]);

/** Returns a swap of Uniswap's first router with exact input. */
export const swap01 = (recipient: Address): Call =>
  call(
    SWAP_ROUTER,
    "exactInputSingle((address, address, uint24, address, uint256, uint256, uint256, uint160) params)",
    [[TOKEN, OTHER_TOKEN, 500, recipient, maxUint256, 100n, 90n, 0n]],
  );

const BYTES32 = numberToHex(1n, { size: 32 });

/** Returns a permit of EIP-2612. */
export const permit = (owner: Address, spender: Address = VAULT): Call =>
  call(TOKEN, "permit(address, address, uint256, uint256, uint8, bytes32, bytes32)", [
    owner,
    spender,
    100n,
    maxUint256,
    27,
    BYTES32,
    BYTES32,
  ]);
