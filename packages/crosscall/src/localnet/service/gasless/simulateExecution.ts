import { BaseError, decodeAbiParameters, decodeErrorResult, type Hex, parseAbi, slice } from "viem";

import { findKnownFunction } from "@crosscall/sdk/kit";
import { BATCH_EXECUTOR_ADDRESS, isSameAddress, PERMIT2_ADDRESS } from "@crosscall/protocol/chains";
import { findKnownError, readPanic } from "@crosscall/protocol/reverts";
import { relayerAccount } from "../../devchain/accounts.ts";
import type { DevChain, EvmCall } from "../../devchain/devChain.ts";
import { ranOutOfGas, traceCall, type TracedCall } from "../../devchain/readChain.ts";
import { failedCalls, findFailedOperation } from "../../market/gasless/failedOperation.ts";
import { type DecodedRevert, ExecuteRejection, type RevertDetails, type RevertFrame } from "./executeBody.ts";

/** `handleOps` of EntryPoint v0.6 and v0.7. */
const HANDLE_OPS = ["0x1fad948c", "0x765e827f"];

/** The request that a call executes. */
export interface ExecutedRequest {
  readonly requestId: string;
  /** The order that the call must deposit for; absent for same-chain requests. */
  readonly orderId?: string;
}

/**
 * Simulates a call for a user.
 *
 * @returns the call's gas
 * @throws {@link ExecuteRejection} if the call, or a user operation in it, would revert or would not pay for its
 * request
 */
export async function simulateExecution(
  chain: DevChain,
  call: EvmCall,
  { requestId, orderId }: ExecutedRequest,
): Promise<bigint> {
  const from = relayerAccount.address;
  const gas = await estimate(chain, call);
  const traced = await traceCall(chain.client, { from, ...call });
  const failed = traced.error === undefined ? findFailedOperation(chain, traced) : failedCalls(traced);
  if (failed !== undefined) {
    const details = explainRevert(chain, failed);
    const { label, message } = details.revert;
    const hint = details.revert.type === "empty" ? operationHint(chain, call) : undefined;
    throw new ExecuteRejection({ error: label, message: hint ?? message, requestId, details });
  }
  if (gas === undefined) throw new ExecuteRejection({ error: "the gas of the call cannot be estimated", requestId });
  if (orderId !== undefined && !depositsFor(chain, traced, orderId)) {
    throw new ExecuteRejection({ error: `the call deposits nothing for request ${requestId}`, requestId });
  }
  return gas;
}

/** Returns a hint for user operations that do not use the chain's EntryPoint. */
export function operationHint(
  { contracts: { entryPoint } }: DevChain,
  { to, data }: Pick<EvmCall, "data" | "to">,
): string | undefined {
  const selector = data.slice(0, 10).toLowerCase();
  if (!HANDLE_OPS.includes(selector)) return undefined;
  if (selector === HANDLE_OPS[0]) return `Encode handleOps for EntryPoint v0.7, and send it to ${entryPoint}.`;
  return isSameAddress(to, entryPoint) ? undefined : `Send handleOps to the EntryPoint ${entryPoint}.`;
}

/** Estimates the gas. Returns undefined if the call or an inner call would fail at any gas limit. */
async function estimate(chain: DevChain, call: EvmCall): Promise<bigint | undefined> {
  try {
    return await chain.client.estimateGas({ account: relayerAccount.address, ...call });
  } catch (error) {
    if (error instanceof BaseError && error.walk(isFailure) !== null) return undefined;
    throw error;
  }
}

function isFailure(cause: unknown): boolean {
  if (!(cause instanceof BaseError)) return false;
  return cause.name === "ExecutionRevertedError" || /runs? out of gas/u.test(cause.details);
}

/** Returns whether a call deposits for an order. The order's id is the last argument of the depository's events. */
function depositsFor(chain: DevChain, { error, logs = [], calls = [] }: TracedCall, orderId: string): boolean {
  if (error !== undefined) return false;
  const id = orderId.slice(2).toLowerCase();
  const isDeposit = logs.some(
    ({ address, data }) => isSameAddress(address, chain.contracts.depository) && data.endsWith(id),
  );
  return isDeposit || calls.some((call) => depositsFor(chain, call, orderId));
}

/** Errors of account delegates and the EntryPoint, by selector. */
const ACCOUNT_FUNCTIONS: Readonly<Record<Hex, string>> = { "0xc3c16ee4": "execute", "0x765e827f": "handleOps" };

const OUT_OF_GAS: DecodedRevert = {
  type: "empty",
  label: "OUT_OF_GAS",
  message: "The call ran out of gas. Raise the gas limits that its caller sets, such as those of a user operation.",
};

const ERROR_ABI = parseAbi(["error Error(string)"]);

/**
 * Decodes the error of the innermost failed call.
 *
 * @param failed failed calls from outermost to innermost
 */
function explainRevert(chain: DevChain, failed: readonly TracedCall[]): RevertDetails {
  const path = failed.map((one) => toFrame(chain, one));
  const [topLevel = { type: "CALL" }] = path;
  const { output = "0x", error = "" } = failed.at(-1) ?? {};
  return {
    topLevel,
    innermost: path.at(-1) ?? topLevel,
    path,
    revert: ranOutOfGas(error) ? OUT_OF_GAS : decodeRevert(output),
  };
}

function toFrame({ contracts }: DevChain, call: TracedCall): RevertFrame {
  const { type = "CALL", to, input = "0x", error, revertReason, gasUsed } = call;
  const selector = input.length >= 10 ? slice(input, 0, 4) : undefined;
  const named = { ...contracts, permit2: PERMIT2_ADDRESS, batchExecutor: BATCH_EXECUTOR_ADDRESS };
  const contract = Object.entries(named).find(([, address]) => to !== undefined && isSameAddress(address, to))?.[0];
  const name = selector === undefined ? undefined : nameOf(selector);
  return {
    type,
    ...(to === undefined ? {} : { address: to }),
    ...(contract === undefined ? {} : { contract }),
    ...(name === undefined ? {} : { function: name }),
    ...(selector === undefined ? {} : { selector }),
    ...(error === undefined ? {} : { error }),
    ...(revertReason === undefined ? {} : { revertReason }),
    ...(gasUsed === undefined ? {} : { gasUsed }),
  };
}

function nameOf(selector: Hex): string | undefined {
  return ACCOUNT_FUNCTIONS[selector] ?? findKnownFunction(selector)?.item.name;
}

export function decodeRevert(data: Hex): DecodedRevert {
  if (data.length < 10) return { type: "empty", label: "EMPTY_REVERT", message: "The call failed without a reason." };
  const selector = slice(data, 0, 4);
  const panic = readPanic(data);
  if (panic !== undefined) return { type: "panic", label: "PANIC", message: panic, selector };
  const text = readText(data);
  if (text !== undefined) return { type: "errorString", label: toLabel(text), message: text, selector };
  const known = findKnownError(data)?.abi;
  const rawArgsHex: Hex = data.length > 10 ? slice(data, 4) : "0x";
  const values = known === undefined ? undefined : readArguments(known.inputs, rawArgsHex);
  if (known === undefined || values === undefined) {
    return {
      type: "unknownCustomError",
      label: `UNKNOWN_CUSTOM_ERROR_${selector}`,
      message: `The call failed with the unknown error ${selector}.`,
      selector,
      rawArgsHex,
    };
  }
  const args = Object.fromEntries(
    known.inputs.map(({ name }, index) => [name ?? String(index), String(values[index])]),
  );
  const listed = Object.entries(args).map(([name, value]) => `${name}: ${value}`);
  return {
    type: "customError",
    label: toLabel(known.name),
    message: `${known.name}(${listed.join(", ")})`,
    selector,
    name: known.name,
    args,
    rawArgsHex,
  };
}

function readText(data: Hex): string | undefined {
  try {
    return decodeErrorResult({ abi: ERROR_ABI, data }).args[0];
  } catch {
    return undefined;
  }
}

function readArguments(inputs: Parameters<typeof decodeAbiParameters>[0], data: Hex): readonly unknown[] | undefined {
  try {
    return inputs.length === 0 ? [] : decodeAbiParameters(inputs, data);
  } catch {
    return undefined;
  }
}

/** Converts an error name to a label. `InvalidSignature` and `invalid signature` both become INVALID_SIGNATURE. */
function toLabel(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/gu, "$1_$2")
    .replaceAll(/[^A-Za-z0-9]+/gu, "_")
    .replaceAll(/^_+|_+$/gu, "")
    .toUpperCase();
}
