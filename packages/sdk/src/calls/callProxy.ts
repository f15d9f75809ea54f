import { type Address, encodeFunctionData, type Hex, parseAbi } from "viem";

import { rejectMisspelledOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { destinationProxyAbi } from "@crosscall/protocol/abi";
import { parseEvmAddress } from "@crosscall/protocol/chains";
import { requireAmount } from "@crosscall/protocol/encoding";
import type { Call } from "@crosscall/protocol/common";
import { cleanupNativeViaCall } from "./cleanups.ts";
import type { RouterParameters } from "./routerCall.ts";

interface ProxyLimits {
  readonly proxy: Address;
  /** Minimum amount that must arrive at the proxy, in the input's smallest unit. Defaults to 1. */
  readonly minimumIn?: bigint;
  /** Last Unix second at which the call succeeds. */
  readonly deadline: bigint;
}

/** Call that turns input into output for a recipient. All proxies support it. */
interface Execution extends ProxyLimits {
  /** Recipient of the proxy's output. */
  readonly recipient: Address;
  /** Minimum amount that the recipient must gain, in the output's smallest unit. Defaults to 1. */
  readonly minimumOut?: bigint;
}

/** Call that repays debt. Supported by `AaveV3Proxy`. */
interface Repayment extends ProxyLimits {
  /** The debtor, who also receives unused input. */
  readonly borrower: Address;
  /**
   * Minimum reduction of the debt, in the smallest unit. Defaults to 1. Set it one or two units below the exact
   * reduction, because Aave rounds debt.
   */
  readonly minimumRepaid?: bigint;
}

/** Execution with the router's tokens, which must be approved for the proxy. */
export interface ExecuteParameters extends Execution {
  readonly functionName?: "execute";
}

/** Execution with the router's native currency, for proxies whose input is wrapped native currency. */
export interface ExecuteNativeParameters extends Execution, RouterParameters {
  readonly functionName: "executeNative";
}

/** Repayment with the router's tokens, which must be approved for the proxy. */
export interface RepayParameters extends Repayment {
  readonly functionName: "repay";
}

/** Repayment with the router's native currency. The borrower receives unused input as wrapped token. */
export interface RepayNativeParameters extends Repayment, RouterParameters {
  readonly functionName: "repayNative";
}

export type CallProxyParameters = ExecuteParameters | ExecuteNativeParameters | RepayParameters | RepayNativeParameters;

const proxyAbi = [
  ...destinationProxyAbi,
  ...parseAbi([
    "function executeNative(address recipient, uint256 minimumIn, uint256 minimumOut, uint256 deadline) payable",
    "function repay(address borrower, uint256 minimumIn, uint256 minimumRepaid, uint256 deadline)",
    "function repayNative(address borrower, uint256 minimumIn, uint256 minimumRepaid, uint256 deadline) payable",
  ]),
] as const;

/**
 * Builds the call to a destination proxy, which uses the router's whole live balance (spec 2, call rule 3). The router
 * sends native currency with `cleanupNativeViaCall`.
 *
 * @throws {@link InvalidInputError} when an address, a minimum or the deadline is invalid
 */
export function callProxy(parameters: CallProxyParameters): Call {
  rejectMisspelledOptions(parameters, [
    "functionName",
    "recipient",
    "minimumOut",
    "proxy",
    "minimumIn",
    "deadline",
    "router",
    "routerVersion",
    "borrower",
    "minimumRepaid",
  ]);
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
