import { type Address, type Hex, decodeFunctionData, encodeFunctionData, parseAbi, size, slice } from "viem";

import { routerAbi } from "@crosscall/sdk/internal/abi/router.generated";
import type { RouterVersion } from "@crosscall/sdk/internal/calls/routerCall";
import type { FillCall } from "./fillPlan.ts";

/** The router's `multicall` before v3, which takes no metadata (spec 4, section 3). */
export const olderMulticallAbi = parseAbi([
  "struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }",
  "function multicall(Call3Value[] calls, address refundTo, address nftRecipient) payable",
]);

/** The multicall of a fill, read back. */
export interface Multicall {
  readonly routerVersion: RouterVersion;
  readonly calls: readonly FillCall[];
  readonly refundTo: Address;
  readonly nftRecipient: Address;
  /** The last 32 bytes, behind the arguments; undefined where nothing is there. */
  readonly orderId: Hex | undefined;
}

/** Reads the call data of a fill; undefined where it is no multicall of the router. */
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

/** What stands behind the arguments, where it is one word. */
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
