import { type Address, type Hex, decodeFunctionData, encodeFunctionData, parseAbi, size, slice } from "viem";

import { routerAbi } from "@crosscall/protocol/abi";
import type { RouterVersion } from "@crosscall/sdk/calls";
import type { FillCall } from "./fillPlan.ts";

/** Before v3, `multicall` has no metadata (spec 4, section 3). */
export const olderMulticallAbi = parseAbi([
  "struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }",
  "function multicall(Call3Value[] calls, address refundTo, address nftRecipient) payable",
]);

export interface Multicall {
  readonly routerVersion: RouterVersion;
  readonly calls: readonly FillCall[];
  readonly refundTo: Address;
  readonly nftRecipient: Address;
  /** The last 32 bytes, after the arguments. */
  readonly orderId: Hex | undefined;
}

/** Undefined if the call data is not a multicall. */
export function readMulticall(data: Hex): Multicall | undefined {
  return readNewer(data) ?? readOlder(data);
}

function readNewer(data: Hex): Multicall | undefined {
  const decoded = attempt(() => decodeFunctionData({ abi: routerAbi, data }));
  if (decoded?.functionName !== "multicall") return undefined;
  const [calls, refundTo, nftRecipient] = decoded.args;
  const plain = encodeFunctionData({ abi: routerAbi, functionName: "multicall", args: decoded.args });
  return { routerVersion: "v3", calls: calls.map(toCall), refundTo, nftRecipient, orderId: tailOf(data, plain) };
}

function readOlder(data: Hex): Multicall | undefined {
  const decoded = attempt(() => decodeFunctionData({ abi: olderMulticallAbi, data }));
  if (decoded === undefined) return undefined;
  const [calls, refundTo, nftRecipient] = decoded.args;
  const plain = encodeFunctionData({ abi: olderMulticallAbi, functionName: "multicall", args: decoded.args });
  return { routerVersion: "v2.1", calls: calls.map(toCall), refundTo, nftRecipient, orderId: tailOf(data, plain) };
}

function toCall(call: {
  readonly target: Address;
  readonly allowFailure: boolean;
  readonly value: bigint;
  readonly callData: Hex;
}): FillCall {
  return { to: call.target, data: call.callData, value: call.value, allowFailure: call.allowFailure };
}

/** The word after the arguments, if it is exactly one. */
function tailOf(data: Hex, plain: Hex): Hex | undefined {
  return size(data) === size(plain) + 32 ? slice(data, -32) : undefined;
}

function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
