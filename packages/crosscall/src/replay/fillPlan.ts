import { type Address, type Hex, concat, encodeFunctionData, decodeFunctionData, parseAbi, size, slice } from "viem";
import type { RouterVersion } from "@crosscall/sdk/calls";
import { routerAbi } from "@crosscall/protocol/abi";
import { isEvmNative } from "@crosscall/protocol/chains";

export interface FillCall {
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  /** Whether the call is allowed to fail; always false for calls from the service. */
  readonly allowFailure: boolean;
}

/** A fill that can be run for any delivered amount. */
export interface FillPlan {
  readonly chainId: number;
  /** Router that makes the calls. */
  readonly router: Address;
  readonly routerVersion: RouterVersion;
  /** Sender of the fill. */
  readonly solver: Address;
  /** Delivered currency; the zero address for native currency. */
  readonly currency: Address;
  /** Minimum amount of the order, in the currency's smallest unit. */
  readonly minimumAmount: bigint;
  /** Expected amount of the order, in the currency's smallest unit. */
  readonly expectedAmount: bigint;
  readonly calls: readonly FillCall[];
  /** Recipient of native currency that is left on the router. */
  readonly refundTo: Address;
  /** Recipient of NFTs that the router receives during the fill. */
  readonly nftRecipient: Address;
  /** Recipient of the output. */
  readonly recipient: Address;
  /** Id of the order: the last 32 bytes of the fill's call data. */
  readonly orderId: Hex;
  /** Gas limit of the fill; the block's limit by default. */
  readonly gas?: bigint;
}

export interface FillTransaction {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
}

/**
 * Encodes the multicall with the order's calls, and appends the orderId. Native currency is the call's value; tokens
 * must already be on the router.
 *
 * @param amount delivered amount, in the smallest unit of the plan's currency
 */
export function encodeFill(plan: FillPlan, amount: bigint): FillTransaction {
  const { router, solver, calls, refundTo, nftRecipient, orderId } = plan;
  const isNative = isEvmNative(plan.currency);
  return {
    from: solver,
    to: router,
    data: concat([encodeMulticall(plan.routerVersion, calls, refundTo, nftRecipient), orderId]),
    value: isNative ? amount : calls.reduce((sum, { value }) => sum + value, 0n),
  };
}

function encodeMulticall(
  version: FillPlan["routerVersion"],
  calls: FillPlan["calls"],
  refundTo: Address,
  nftRecipient: Address,
): Hex {
  const entries = calls.map(({ to, allowFailure, value, data }) => ({
    target: to,
    allowFailure,
    value,
    callData: data,
  }));
  return version === "v3"
    ? encodeFunctionData({ abi: routerAbi, functionName: "multicall", args: [entries, refundTo, nftRecipient, "0x"] })
    : encodeFunctionData({
        abi: olderMulticallAbi,
        functionName: "multicall",
        args: [entries, refundTo, nftRecipient],
      });
}

/** ABI of `multicall` before v3, which has no metadata. */
const olderMulticallAbi = parseAbi([
  "struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }",
  "function multicall(Call3Value[] calls, address refundTo, address nftRecipient) payable",
]);

export interface Multicall {
  readonly routerVersion: RouterVersion;
  readonly calls: readonly FillCall[];
  readonly refundTo: Address;
  readonly nftRecipient: Address;
  /** Id of the order: 32 bytes after the arguments. */
  readonly orderId: Hex | undefined;
}

/** Decodes a multicall. Returns undefined if the call data is not a multicall. */
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

/** Returns the word after the arguments, if there is exactly one. */
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
