import { type Address, encodeFunctionData, erc20Abi, type Hex, hexToBigInt, size, slice } from "viem";

import { isEvmNative } from "@crosscall/protocol/chains";
import type { Fork } from "../fork/fork.ts";
import { callFork } from "./callFork.ts";
import type { StateChanges } from "./stateChanges.ts";

/** Undefined if the token does not respond. */
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

/** Undefined if the token does not respond. */
export async function readAllowance(
  fork: Fork,
  { token, owner, spender }: Record<"token" | "owner" | "spender", Address>,
  changes?: StateChanges,
): Promise<bigint | undefined> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "allowance", args: [owner, spender] });
  return numberIn(await callFork(fork, { to: token, data }, changes));
}

function numberIn(answer: Hex | undefined): bigint | undefined {
  return answer === undefined || size(answer) < 32 ? undefined : hexToBigInt(slice(answer, 0, 32));
}
