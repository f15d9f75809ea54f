import { type Hex, numberToHex } from "viem";

import { type CallFrame, readFrame } from "../trace/callFrame.ts";
import type { FillTransaction } from "../fillPlan.ts";
import type { BlockEnvironment, Fork, StateNode } from "./fork.ts";

/** Outcome of a transaction on a fork. */
export interface Execution {
  readonly success: boolean;
  /** Gas of the whole transaction after refunds, as in a receipt. */
  readonly gasUsed: bigint;
  /** The transaction's return or revert data. */
  readonly output: Hex;
  readonly frame: CallFrame;
}

const CALL_TRACER = { tracer: "callTracer", tracerConfig: { withLog: true } } as const;

export async function traceTransaction(
  node: StateNode & { readonly environment: Pick<BlockEnvironment, "gasLimit" | "baseFeePerGas"> },
  transaction: FillTransaction,
  gas: bigint = node.environment.gasLimit,
): Promise<Execution> {
  const call = toRpcCall(transaction, gas, node.environment.baseFeePerGas);
  return toExecution(await node.request("debug_traceCall", [call, "latest", CALL_TRACER]));
}

/** @param gasPrice gas price in wei; without a gas price, the node would read the chain's fee history */
export function toRpcCall({ from, to, data, value }: FillTransaction, gas: bigint, gasPrice: bigint) {
  return { from, to, data, value: numberToHex(value), gas: numberToHex(gas), gasPrice: numberToHex(gasPrice) };
}

export async function traceIncluded(node: StateNode, hash: Hex): Promise<Execution> {
  return toExecution(await node.request("debug_traceTransaction", [hash, CALL_TRACER]));
}

function toExecution(raw: unknown): Execution {
  const frame = readFrame(raw);
  return { success: frame.error === undefined, gasUsed: frame.gasUsed, output: frame.output, frame };
}

/**
 * Mines the transaction in the fork's next block, at that block's base fee.
 *
 * @returns the transaction's hash
 */
export async function sendTransaction(
  fork: Fork,
  transaction: FillTransaction,
  gas: bigint = fork.environment.gasLimit,
): Promise<Hex> {
  const { from } = transaction;
  await fork.prepareBlock();
  await fork.request("hardhat_impersonateAccount", [from]);
  const call = toRpcCall(transaction, gas, fork.environment.baseFeePerGas);
  const hash = (await fork.request("eth_sendTransaction", [call])) as Hex;
  await fork.request("hardhat_stopImpersonatingAccount", [from]);
  return hash;
}
