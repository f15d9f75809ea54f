import { type Address, decodeAbiParameters, decodeErrorResult, type Hex, numberToHex, parseAbi, slice } from "viem";

import { findKnownFunction } from "@crosscall/sdk/internal/calls/decode/knownFunctions";
import { isSameAddress } from "@crosscall/sdk/internal/chains/address";
import { BATCH_EXECUTOR_ADDRESS, PERMIT2_ADDRESS } from "@crosscall/sdk/internal/chains/serviceAddresses";
import { findKnownError, readPanic } from "@crosscall/sdk/internal/protocol/reverts/classifyRevert";
import type { DevChain, EvmCall } from "../../devchain/devChain.ts";
import { localNodeRequest } from "../../devchain/localNode.ts";
import type { DecodedRevert, RevertDetails, RevertFrame } from "./executeRefusal.ts";

/** Of account delegates and the EntryPoint, by selector. */
const ACCOUNT_FUNCTIONS: Readonly<Record<Hex, string>> = { "0xc3c16ee4": "execute", "0x765e827f": "handleOps" };

const ERROR_ABI = parseAbi(["error Error(string)"]);

interface TracedCall {
  readonly type?: string;
  readonly to?: Address;
  readonly input?: Hex;
  readonly output?: Hex;
  readonly error?: string;
  readonly revertReason?: string;
  readonly gasUsed?: string;
  readonly calls?: readonly TracedCall[];
}

/** Traces a call that reverts, and decodes the error of the innermost call that failed. */
export async function explainRevert(chain: DevChain, from: Address, call: EvmCall): Promise<RevertDetails> {
  const { to, data, value, authorizationList } = call;
  const traced = (await localNodeRequest(chain.client, "debug_traceCall", [
    {
      from,
      to,
      data,
      value: numberToHex(value),
      ...(authorizationList === undefined
        ? {}
        : {
            authorizationList: authorizationList.map(({ chainId, address, nonce, yParity = 0, r, s }) => ({
              chainId: numberToHex(chainId),
              address,
              nonce: numberToHex(nonce),
              yParity: numberToHex(yParity),
              r,
              s,
            })),
          }),
    },
    "latest",
    { tracer: "callTracer" },
  ])) as TracedCall;
  const calls = [traced];
  for (let call = lastFailed(traced); call !== undefined; call = lastFailed(call)) calls.push(call);
  const path = calls.map((one) => toFrame(chain, one));
  const [topLevel = { type: "CALL" }] = path;
  return {
    topLevel,
    innermost: path.at(-1) ?? topLevel,
    path,
    revert: decodeRevert(calls.at(-1)?.output ?? "0x"),
  };
}

/** A call that failed earlier was caught. */
function lastFailed({ calls = [] }: TracedCall): TracedCall | undefined {
  const last = calls.at(-1);
  return last?.error === undefined ? undefined : last;
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
