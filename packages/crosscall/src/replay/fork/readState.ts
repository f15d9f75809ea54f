import {
  type Address,
  type Hex,
  numberToHex,
  encodeFunctionData,
  erc20Abi,
  hexToBigInt,
  size,
  slice,
  zeroHash,
} from "viem";
import { isEvmNative } from "@crosscall/protocol/chains";

import { EngineError, type Fork } from "./fork.ts";
import { toRpcCall } from "./runTransaction.ts";
import type { FillTransaction } from "../fillPlan.ts";

interface ForkCall {
  readonly from?: Address;
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value?: bigint;
}

/**
 * Runs a call on the fork's state with overrides, without changing the state.
 *
 * @returns the result, or undefined if the call reverts
 */
export async function callFork(
  fork: Fork,
  { from, to, data, value }: ForkCall,
  changes?: StateChanges,
): Promise<Hex | undefined> {
  const call = {
    ...(from === undefined ? {} : { from }),
    to,
    data,
    ...(value === undefined ? {} : { value: numberToHex(value) }),
  };
  try {
    return (await fork.request("eth_call", [call, "latest", ...(changes === undefined ? [] : [changes])])) as Hex;
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

/** Reads a balance. Returns undefined if the token does not respond. */
export async function readBalance(
  fork: Fork,
  currency: Address,
  account: Address,
  changes?: StateChanges,
): Promise<bigint | undefined> {
  if (isEvmNative(currency)) {
    return BigInt((await fork.request("eth_getBalance", [account, "latest"])) as Hex);
  }
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [account] });
  return numberIn(await callFork(fork, { to: currency, data }, changes));
}

/** Reads the code of an account. */
export async function readCode(fork: Fork, account: Address): Promise<Hex> {
  return (await fork.request("eth_getCode", [account, "latest"])) as Hex;
}

/** Reads an allowance. Returns undefined if the token does not respond. */
export async function readAllowance(
  fork: Fork,
  { token, owner, spender }: Record<"token" | "owner" | "spender", Address>,
  changes?: StateChanges,
): Promise<bigint | undefined> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "allowance", args: [owner, spender] });
  return numberIn(await callFork(fork, { to: token, data }, changes));
}

function numberIn(result: Hex | undefined): bigint | undefined {
  return result === undefined || size(result) < 32 ? undefined : hexToBigInt(slice(result, 0, 32));
}

/** State changes in the format of `eth_call` state overrides. */
export type StateChanges = Readonly<Record<Address, AccountChange>>;

interface AccountChange {
  readonly balance?: Hex;
  readonly nonce?: Hex;
  readonly code?: Hex;
  readonly stateDiff?: Readonly<Record<Hex, Hex>>;
}

interface TracedAccount {
  readonly balance?: Hex;
  readonly nonce?: number;
  readonly code?: Hex;
  readonly storage?: Readonly<Record<Hex, Hex>>;
}

export async function readStateChanges(fork: Fork, transaction: FillTransaction): Promise<StateChanges> {
  const { gasLimit, baseFeePerGas } = fork.environment;
  const call = toRpcCall(transaction, gasLimit, baseFeePerGas);
  const { pre, post } = (await fork.request("debug_traceCall", [
    call,
    "latest",
    { tracer: "prestateTracer", tracerConfig: { diffMode: true } },
  ])) as Record<"pre" | "post", Readonly<Record<Address, TracedAccount>>>;
  const accounts = [...new Set([...Object.keys(pre), ...Object.keys(post)])] as Address[];
  return Object.fromEntries(accounts.map((account) => [account, changeOf(pre[account], post[account])]));
}

function changeOf(
  before: TracedAccount = {},
  { balance, code, nonce, storage = {} }: TracedAccount = {},
): AccountChange {
  // A slot that becomes zero is listed only in the previous state.
  const emptied = Object.keys(before.storage ?? {}).map((slot) => [slot, zeroHash]);
  const words = { ...Object.fromEntries(emptied), ...storage } as Record<Hex, Hex>;
  return {
    ...(balance === undefined ? {} : { balance }),
    ...(code === undefined ? {} : { code }),
    ...(nonce === undefined ? {} : { nonce: numberToHex(nonce) }),
    ...(Object.keys(words).length === 0 ? {} : { stateDiff: words }),
  };
}
