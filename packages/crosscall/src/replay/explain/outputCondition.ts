import { type Address, encodeFunctionData, getAddress, hexToBigInt, isAddress, size, slice } from "viem";

import { type DecodedArgument, findKnownFunction, readAmount, readToken } from "@crosscall/sdk/kit";
import type { CallFrame } from "../callFrame.ts";
import type { Fork } from "../fork/fork.ts";
import { callFork } from "../state/callFork.ts";
import type { StateChanges } from "../state/stateChanges.ts";
import { type AbiIndex, createAbiIndex } from "../trace/abiIndex.ts";
import type { FailedCondition } from "../verdict.ts";

/** Names of minimum-output arguments of swaps. */
const MINIMUMS = ["params.amountOutMinimum", "amountOutMinimum", "amountOutMin", "min_dy", "minReturn", "minAmountOut"];

/**
 * From the pools in the trace, or else from the same swap without its minimum.
 *
 * @param frames down to the one that failed
 */
export async function readOutputCondition(
  fork: Fork,
  frames: readonly CallFrame[],
  changes: StateChanges | undefined,
): Promise<FailedCondition | undefined> {
  const index = createAbiIndex();
  for (const frame of frames.toReversed()) {
    if (size(frame.input) < 4 || frame.to === undefined) continue;
    const call = index.readCall(frame.input);
    const path = call && MINIMUMS.find((each) => readAmount(call.args, each) !== undefined);
    if (call === undefined || path === undefined) continue;
    const needed = readAmount(call.args, path) ?? 0n;
    const had = lastPoolOutput(frame, index) ?? (await swapFreely(fork, frame, path, changes));
    if (had === undefined) return undefined;
    return { kind: "swapOutput", needed, had, currency: outputOf(frame, call.args) };
  }
  return undefined;
}

/** The negative one of the pool's two amounts. */
function lastPoolOutput(frame: CallFrame, index: AbiIndex): bigint | undefined {
  const swaps = frame.calls.flatMap(({ input, output, error }) => {
    if (error !== undefined || size(input) < 4 || index.readCall(input)?.item.name !== "swap") return [];
    const amounts = index.readResult(input, output)?.map(({ value }) => value as bigint) ?? [];
    return amounts.filter((amount) => amount < 0n).map((amount) => -amount);
  });
  return swaps.at(-1);
}

/** Runs the swap with no minimum on the state before it, and reads the output from its result. */
async function swapFreely(
  fork: Fork,
  { from, to, input, value }: CallFrame,
  path: string,
  changes: StateChanges | undefined,
): Promise<bigint | undefined> {
  const index = createAbiIndex();
  const call = index.readCall(input);
  if (call === undefined || to === undefined) return undefined;
  const args = call.args.map(({ name, value: argument }) =>
    name === path
      ? 0n
      : path.startsWith(`${name}.`)
        ? { ...(argument as object), [path.slice(name.length + 1)]: 0n }
        : argument,
  );
  const data = encodeFunctionData({ abi: [call.item], functionName: call.item.name, args });
  const output = await callFork(fork, { from, to, data, value }, changes);
  if (output === undefined || size(output) < 32) return undefined;
  // One amount, or the amounts of a path, of which the last counts.
  const result = index.readResult(data, output)?.[0]?.value;
  const last: unknown = Array.isArray(result) ? result.at(-1) : result;
  return typeof last === "bigint" ? last : hexToBigInt(slice(output, size(output) - 32));
}

function outputOf({ input, to = "0x" }: CallFrame, args: readonly DecodedArgument[]): Address | undefined {
  const reference = findKnownFunction(slice(input, 0, 4))?.known.gives?.token;
  const token = reference === undefined ? undefined : readToken(args, reference, to);
  return token !== undefined && isAddress(token, { strict: false }) ? getAddress(token) : undefined;
}
