import {
  type Abi,
  type Address,
  concat,
  encodeFunctionData,
  getAddress,
  type Hex,
  maxUint256,
  parseAbi,
  toFunctionSelector,
  zeroAddress,
} from "viem";

import { type CheckCallsParameters, encodeProgram, type Program } from "../../../../../packages/sdk/src/calls/index.ts";
import type { CheckedContracts, CheckedPlan } from "../../../../../packages/sdk/src/calls/check/parameters.ts";
import { checkCalls } from "../../../../../packages/sdk/src/calls/index.ts";
import type { Call } from "../../../../../packages/protocol/src/common/call.ts";
import { OTHER_TOKEN, PROXY, RECIPIENT, ROUTER, TOKEN } from "../accounts.ts";

const account = (byte: string): Address => getAddress(`0x${byte.repeat(20)}`);

export const NATIVE = zeroAddress;
export const EXECUTOR = account("c1");
export const PULLER = account("c2");
export const POOL = account("c3");
export const VAULT = account("c4");
export const STRANGER = account("c5");
export const WRAPPED = account("c6");

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
