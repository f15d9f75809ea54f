import { decodeAbiParameters, decodeErrorResult, type Hex, parseAbi, slice } from "viem";

import { findKnownFunction } from "@crosscall/sdk/kit";
import { BATCH_EXECUTOR_ADDRESS, isSameAddress, PERMIT2_ADDRESS } from "@crosscall/protocol/chains";
import { findKnownError, readPanic } from "@crosscall/protocol/reverts";
import type { DevChain } from "../../devchain/devChain.ts";
import { ranOutOfGas, type TracedCall } from "../../devchain/traceCall.ts";
import type { DecodedRevert, RevertDetails, RevertFrame } from "./executeRefusal.ts";

/** Of account delegates and the EntryPoint, by selector. */
const ACCOUNT_FUNCTIONS: Readonly<Record<Hex, string>> = { "0xc3c16ee4": "execute", "0x765e827f": "handleOps" };

const OUT_OF_GAS: DecodedRevert = {
  type: "empty",
  label: "OUT_OF_GAS",
  message: "The call ran out of gas. Raise the gas limits that its caller sets, such as those of a user operation.",
};

const ERROR_ABI = parseAbi(["error Error(string)"]);

/**
 * Decodes the error of the innermost of the failed calls.
 *
 * @param failed from the outermost to the innermost
 */
export function explainRevert(chain: DevChain, failed: readonly TracedCall[]): RevertDetails {
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

/** `InvalidSignature` and `invalid signature` are INVALID_SIGNATURE. */
function toLabel(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/gu, "$1_$2")
    .replaceAll(/[^A-Za-z0-9]+/gu, "_")
    .replaceAll(/^_+|_+$/gu, "")
    .toUpperCase();
}
