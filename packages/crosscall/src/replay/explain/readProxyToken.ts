import { type Address, encodeFunctionData, getAddress, size, slice } from "viem";

import { destinationProxyAbi } from "@crosscall/protocol/abi";
import type { Fork } from "../fork/fork.ts";
import { callFork } from "../state/callFork.ts";

/** Undefined if the contract is not a proxy of the kit. */
export async function readProxyToken(
  fork: Fork,
  proxy: Address,
  functionName: "inputToken" | "outputToken",
): Promise<Address | undefined> {
  const data = encodeFunctionData({ abi: destinationProxyAbi, functionName });
  const answer = await callFork(fork, { to: proxy, data });
  return answer === undefined || size(answer) !== 32 ? undefined : getAddress(slice(answer, 12));
}
