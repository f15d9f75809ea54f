import { type Address, BaseError, decodeFunctionData, decodeFunctionResult, encodeFunctionData, type Hex } from "viem";

import { routerAbi } from "@crosscall/protocol/abi";
import type { FailReason } from "@crosscall/protocol/request";
import { type ClassifiedRevert, classifyRevert, isMaskingError } from "@crosscall/protocol/reverts";
import type { DevChain, EvmCall } from "../devchain/devChain.ts";
import { findFailedOperation } from "../market/gasless/failedOperation.ts";
import type { Payer } from "./solverParts.ts";
import { ranOutOfGas, traceCall } from "../devchain/readChain.ts";

/** Maximum gas of a call. A call that needs more counts as an endless loop. */
const TRIAL_GAS = 10_000_000n;

export interface Diagnosis {
  readonly failReason: FailReason;
  /** Failed call and its error as text. */
  readonly details: string;
}

export interface DiagnosisParameters {
  readonly transaction: EvmCall;
  /** Number of the order's calls, which come last. */
  readonly orderCalls: number;
  /** Block to run the fill at; the latest by default. */
  readonly blockNumber?: bigint;
}

/**
 * Runs the transaction again and allows every call to fail, so that the router's result shows the first failing call.
 *
 * @returns undefined if the transaction does not revert at that state
 */
export async function diagnoseFill(
  parts: Payer,
  chain: DevChain,
  { transaction, orderCalls, blockNumber }: DiagnosisParameters,
): Promise<Diagnosis | undefined> {
  const failedCall = await findFailedCall(parts, chain, transaction, orderCalls, blockNumber);
  return failedCall ?? tryWhole(parts, chain, transaction, blockNumber);
}

async function findFailedCall(
  parts: Payer,
  chain: DevChain,
  transaction: EvmCall,
  orderCalls: number,
  blockNumber: bigint | undefined,
): Promise<Diagnosis | undefined> {
  const args = readMulticall(transaction);
  if (args === undefined) return undefined;
  const [calls, ...others] = args;
  const lenient = encodeFunctionData({
    abi: routerAbi,
    functionName: "multicall",
    args: [calls.map((call) => ({ ...call, allowFailure: true })), ...others],
  });
  const tried: EvmCall = { ...transaction, data: lenient };
  const results = await readResults(parts, chain, tried, blockNumber);
  const index = results.findIndex(({ success }) => !success);
  const [call, result] = [calls[index], results[index]];
  if (call === undefined || result === undefined) return undefined;
  const found = isMaskingError(result.returnData)
    ? await traceReason(parts, chain, tried, index, result.returnData, blockNumber)
    : await classify(chain, call, result.returnData, blockNumber);
  // Skips the solver's own calls, which come first. The order's calls are counted from 0.
  const orderIndex = index - (calls.length - orderCalls);
  if (orderIndex < 0) {
    const isPaid = found.failReason === "INVALID_NONCE";
    return {
      failReason: isPaid ? "ORDER_ALREADY_FILLED" : found.failReason,
      details: `the solver's payment: ${found.description}`,
    };
  }
  return { failReason: found.failReason, details: `call ${orderIndex} to ${call.target}: ${found.description}` };
}

type Multicall = Extract<ReturnType<typeof decodeFunctionData<typeof routerAbi>>, { functionName: "multicall" }>;
type RouterCall = Multicall["args"][0][number];

function readMulticall({ data }: EvmCall): Multicall["args"] | undefined {
  try {
    const decoded = decodeFunctionData({ abi: routerAbi, data });
    return decoded.functionName === "multicall" ? decoded.args : undefined;
  } catch {
    return undefined;
  }
}

async function readResults(
  parts: Payer,
  chain: DevChain,
  transaction: EvmCall,
  blockNumber: bigint | undefined,
): Promise<readonly { readonly success: boolean; readonly returnData: Hex }[]> {
  try {
    const { data } = await chain.client.call({
      account: parts.solver.address,
      ...transaction,
      ...(blockNumber === undefined ? {} : { blockNumber }),
    });
    return decodeFunctionResult({ abi: routerAbi, functionName: "multicall", data: data ?? "0x" });
  } catch (error) {
    if (error instanceof BaseError) return [];
    throw error;
  }
}

/** Finds the error of the innermost failed call, which the router's own error does not contain. */
async function traceReason(
  { solver }: Payer,
  chain: DevChain,
  transaction: EvmCall,
  index: number,
  masking: Hex,
  blockNumber: bigint | undefined,
): Promise<ClassifiedRevert> {
  const traced = await traceCall(chain.client, { from: solver.address, ...transaction }, blockNumber);
  let call = traced.calls?.[index];
  let inner = call;
  while (isMaskingError(call?.output ?? "0x")) {
    call = call?.calls?.findLast(({ error }) => error !== undefined);
    inner = call ?? inner;
  }
  const isOutOfGas = ranOutOfGas(inner?.error ?? "");
  return classifyRevert({ data: inner?.output ?? masking, isOutOfGas });
}

/** Classifies a failed call. If it failed without data, runs it separately to check whether it ran out of gas. */
async function classify(
  chain: DevChain,
  { target, callData, value }: RouterCall,
  data: Hex,
  blockNumber: bigint | undefined,
): Promise<ClassifiedRevert> {
  if (data !== "0x") return classifyRevert({ data });
  const account: Address = chain.contracts.router;
  try {
    await chain.client.call({
      account,
      to: target,
      data: callData,
      value,
      gas: TRIAL_GAS,
      ...(value === 0n ? {} : { stateOverride: [{ address: account, balance: value }] }),
      ...(blockNumber === undefined ? {} : { blockNumber }),
    });
    return classifyRevert({ data });
  } catch (error) {
    return classifyRevert({ data, isOutOfGas: error instanceof BaseError && isOutOfGas(error) });
  }
}

async function tryWhole(
  parts: Payer,
  chain: DevChain,
  transaction: EvmCall,
  blockNumber: bigint | undefined,
): Promise<Diagnosis | undefined> {
  try {
    await chain.client.call({
      account: parts.solver.address,
      ...transaction,
      ...(blockNumber === undefined ? {} : { blockNumber }),
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    const { failReason, description } = classifyRevert({
      data: revertDataOf(error) ?? "0x",
      isOutOfGas: isOutOfGas(error),
    });
    return { failReason, details: description };
  }
}

function isOutOfGas({ details, message }: BaseError): boolean {
  return ranOutOfGas(`${details} ${message}`);
}

/** Searches for the revert data, because nodes nest it at different depths. */
function revertDataOf(error: BaseError): Hex | undefined {
  let found: Hex | undefined;
  error.walk((cause) => {
    found = readData(cause);
    return found !== undefined;
  });
  return found;
}

function readData(value: unknown): Hex | undefined {
  if (typeof value !== "object" || value === null || !("data" in value)) return undefined;
  const { data } = value;
  if (typeof data === "string" && /^0x[0-9a-f]*$/iu.test(data)) return data as Hex;
  return readData(data);
}

/** Finds the reason why a user operation in a fill would fail, because the fill itself would not revert. */
export async function diagnoseOperation(
  { solver }: Payer,
  chain: DevChain,
  transaction: EvmCall,
): Promise<Diagnosis | undefined> {
  const { entryPoint } = chain.contracts;
  if (!transaction.data.toLowerCase().includes(entryPoint.slice(2).toLowerCase())) return undefined;
  const traced = await traceCall(chain.client, { from: solver.address, ...transaction });
  const failed = findFailedOperation(chain, traced)?.at(-1);
  if (failed === undefined) return undefined;
  if (ranOutOfGas(failed.error ?? "")) {
    return { failReason: "ACCOUNT_ABSTRACTION_GAS_LIMIT", details: "user operation: out of gas" };
  }
  const { failReason, description } = classifyRevert({ data: failed.output ?? "0x" });
  return { failReason, details: `user operation: ${description}` };
}
