import { type Address, encodeFunctionData, type Hex, parseAbi } from "viem";

import { destinationProxyAbi } from "../abi/destinationProxy.generated.ts";
import { parseEvmAddress } from "../chains/address.ts";
import { requireAmount } from "../core/amounts.ts";
import type { Call } from "../protocol/common/call.ts";
import { cleanupNativeViaCall } from "./cleanupNativeViaCall.ts";
import type { RouterParameters } from "./routerCall.ts";

/** What every call of a destination proxy takes. */
interface ProxyLimits {
  readonly proxy: Address;
  /** The least that must arrive at the proxy, smallest unit of its input; 1 when left out. */
  readonly minimumIn?: bigint;
  /** Unix seconds; the call reverts after it. */
  readonly deadline: bigint;
}

/** A call that turns input into output for somebody. Every proxy has it. */
interface Execution extends ProxyLimits {
  /** Who gets what the proxy makes of the input. */
  readonly recipient: Address;
  /** The least that the recipient must gain, smallest unit of the proxy's output; 1 when left out. */
  readonly minimumOut?: bigint;
}

/** A call that pays a debt. `AaveV3Proxy` has it. */
interface Repayment extends ProxyLimits {
  /** Whose debt is repaid. Gets what the debt did not need. */
  readonly borrower: Address;
  /** By how much the debt must fall at least, smallest unit; 1 when left out. Debt is rounded: leave a unit or two. */
  readonly minimumRepaid?: bigint;
}

/** Acts on the router's tokens, which must be approved to the proxy. */
export interface ExecuteParameters extends Execution {
  readonly functionName?: "execute";
}

/** Acts on the router's native, which a proxy takes whose input is the wrapped native. */
export interface ExecuteNativeParameters extends Execution, RouterParameters {
  readonly functionName: "executeNative";
}

/** Repays with the router's tokens, which must be approved to the proxy. */
export interface RepayParameters extends Repayment {
  readonly functionName: "repay";
}

/** Repays with the router's native. What the debt did not need comes as the wrapped token. */
export interface RepayNativeParameters extends Repayment, RouterParameters {
  readonly functionName: "repayNative";
}

/** What {@link callProxy} takes, by the function of the proxy. */
export type CallProxyParameters = ExecuteParameters | ExecuteNativeParameters | RepayParameters | RepayNativeParameters;

/** A function of a typed proxy. */
export type ProxyFunction = NonNullable<CallProxyParameters["functionName"]>;

const proxyAbi = [
  ...destinationProxyAbi,
  ...parseAbi([
    "function executeNative(address recipient, uint256 minimumIn, uint256 minimumOut, uint256 deadline) payable",
    "function repay(address borrower, uint256 minimumIn, uint256 minimumRepaid, uint256 deadline)",
    "function repayNative(address borrower, uint256 minimumIn, uint256 minimumRepaid, uint256 deadline) payable",
  ]),
] as const;

/**
 * Builds the call of a destination proxy, which acts on the router's whole live balance (spec 2, call rule 3). Native
 * currency reaches it through the router's `cleanupNativeViaCall`.
 *
 * @throws {@link InvalidInputError} when an address, a minimum or the deadline is none
 */
export function callProxy(parameters: CallProxyParameters): Call {
  const { functionName } = parameters;
  if (functionName === "executeNative") return bringNative(parameters, encodeExecution(parameters));
  if (functionName === "repayNative") return bringNative(parameters, encodeRepayment(parameters));
  const data = functionName === "repay" ? encodeRepayment(parameters) : encodeExecution(parameters);
  return { to: parseEvmAddress(parameters.proxy, "proxy"), data, value: "0" };
}

function encodeExecution(parameters: ExecuteParameters | ExecuteNativeParameters): Hex {
  const { functionName = "execute", recipient, minimumIn = 1n, minimumOut = 1n, deadline } = parameters;
  return encodeFunctionData({
    abi: proxyAbi,
    functionName,
    args: [
      parseEvmAddress(recipient, "recipient"),
      requireAmount(minimumIn, "minimumIn"),
      requireAmount(minimumOut, "minimumOut"),
      requireAmount(deadline, "deadline"),
    ],
  });
}

function encodeRepayment(parameters: RepayParameters | RepayNativeParameters): Hex {
  const { functionName, borrower, minimumIn = 1n, minimumRepaid = 1n, deadline } = parameters;
  return encodeFunctionData({
    abi: proxyAbi,
    functionName,
    args: [
      parseEvmAddress(borrower, "borrower"),
      requireAmount(minimumIn, "minimumIn"),
      requireAmount(minimumRepaid, "minimumRepaid"),
      requireAmount(deadline, "deadline"),
    ],
  });
}

function bringNative(parameters: ExecuteNativeParameters | RepayNativeParameters, data: Hex): Call {
  const { router, routerVersion = "v3", proxy } = parameters;
  return cleanupNativeViaCall({ router, routerVersion, to: parseEvmAddress(proxy, "proxy"), data });
}
