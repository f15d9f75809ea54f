import { type Address, encodeFunctionData, erc20Abi, getAddress, hexToBigInt, size, slice, isAddress } from "viem";
import { type DecodedArgument, findKnownFunction, readAccount, readAmount, readToken } from "@crosscall/sdk/kit";
import { EVM_NATIVE_CURRENCY, isSameAddress } from "@crosscall/protocol/chains";

import type { CallFrame } from "../trace/callFrame.ts";
import { callFork, readAllowance, readBalance, type StateChanges } from "../fork/readState.ts";
import { callsBefore } from "../trace/orderCalls.ts";
import { createAbiIndex, type AbiIndex } from "../trace/abiIndex.ts";
import type { FailedCondition } from "../verdict.ts";
import type { Cause } from "./findCause.ts";
import { followTokens } from "./followTokens.ts";
import type { Fork } from "../fork/fork.ts";

export interface RejectedTransfer {
  readonly token: Address;
  readonly from: Address;
  readonly to: Address;
  /** Account that spends the amount, if it is not the holder. */
  readonly spender: Address | undefined;
  readonly amount: bigint;
  /** Path from the root to the token call. */
  readonly path: readonly number[];
}

type TokenShortage = Extract<FailedCondition, { readonly kind: "allowance" | "balance" }>;

/** Finds the failed transfer: the cause itself, or the last token call if it returned false. */
export function findRejectedTransfer(cause: Cause): RejectedTransfer | undefined {
  const { path, frame } = cause;
  const { called, calledPath } = lastCalled(cause);
  const own = readTransfer(called, calledPath);
  if (own !== undefined) return own;
  const place = frame.calls.findLastIndex(({ kind }) => kind === "CALL");
  const last = frame.calls[place];
  if (last === undefined || (last.error === undefined && !saysNo(last))) return undefined;
  return readTransfer(last, [...path, place]);
}

/** Finds the token call that returned false, if its caller failed because of that. */
export function findFalseTransfer({ frame }: Cause): { readonly token: Address; readonly name: string } | undefined {
  const last = frame.calls.findLast(({ kind }) => kind === "CALL");
  if (last?.to === undefined || last.error !== undefined || size(last.input) < 4 || !saysNo(last)) return undefined;
  const name = createAbiIndex().readCall(last.input)?.item.name;
  return name !== undefined && ANSWERING.has(name) ? { token: getAddress(last.to), name } : undefined;
}

/** Token functions that return a boolean. */
export const ANSWERING: ReadonlySet<string> = new Set(["transfer", "transferFrom", "approve"]);

/** Returns the call behind a token's proxy, because such a token fails in the code that its proxy delegates to. */
function lastCalled({ path, frame, frames }: Cause) {
  const depth = frames.findLastIndex(({ kind }) => kind !== "DELEGATECALL");
  return { called: frames[depth] ?? frame, calledPath: path.slice(0, Math.max(depth, 0)) };
}

/** Returns whether the call returned false. */
export function saysNo({ output }: CallFrame): boolean {
  return size(output) === 32 && hexToBigInt(slice(output, 0, 32)) === 0n;
}

/**
 * Reads the allowance that a token refuses to change without a reset to zero, often without a reason. Such a token
 * rejects every nonzero value.
 */
export async function readStandingAllowance(
  fork: Fork,
  cause: Cause,
  changes: StateChanges | undefined,
): Promise<FailedCondition | undefined> {
  const { from, to, input, kind } = lastCalled(cause).called;
  if (kind !== "CALL" || to === undefined || size(input) < 4) return undefined;
  const call = createAbiIndex().readCall(input);
  const [spender, amount] = call?.args ?? [];
  if (call?.item.name !== "approve" || spender === undefined || amount?.value === 0n) return undefined;
  const owned = { token: getAddress(to), owner: from, spender: spender.value as Address };
  const had = (await readAllowance(fork, owned, changes)) ?? 0n;
  if (had === 0n) return undefined;
  const takes = async (value: bigint): Promise<boolean> => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [owned.spender, value] });
    return (await callFork(fork, { from, to: owned.token, data }, changes)) !== undefined;
  };
  if ((await takes(1n)) || !(await takes(0n))) return undefined;
  return { kind: "nonZeroAllowance", needed: 0n, had, currency: owned.token };
}

function readTransfer(frame: CallFrame, path: readonly number[]): RejectedTransfer | undefined {
  const { kind, from, to, input } = frame;
  if (kind !== "CALL" || to === undefined || size(input) < 4) return undefined;
  const call = createAbiIndex().readCall(input);
  const [first, second, third] = call?.args.map(({ name }) => name) ?? [];
  if (call === undefined || first === undefined) return undefined;
  const token = getAddress(to);
  const account = (name: string): Address => getAddress(readAccount(call.args, name) ?? from);
  // Handles burning of wrapped native currency.
  if (call.item.name === "withdraw" && call.args.length === 1) {
    const amount = readAmount(call.args, first) ?? 0n;
    return { token, from: getAddress(from), to: token, spender: undefined, amount, path };
  }
  if (second === undefined) return undefined;
  if (call.item.name === "transfer" && call.args.length === 2) {
    const amount = readAmount(call.args, second) ?? 0n;
    return { token, from: getAddress(from), to: account(first), spender: undefined, amount, path };
  }
  if (call.item.name === "transferFrom" && third !== undefined) {
    const amount = readAmount(call.args, third) ?? 0n;
    return { token, from: account(first), to: account(second), spender: getAddress(from), amount, path };
  }
  return undefined;
}

/**
 * Reads the allowance or balance that was too small for the rejected transfer, if any.
 *
 * @param place index of the multicall's call that contains it, along the path
 */
export async function readShortage(
  fork: Fork,
  root: CallFrame,
  rejected: RejectedTransfer,
  { changes, depth }: { readonly changes: StateChanges | undefined; readonly depth: number },
): Promise<TokenShortage | undefined> {
  const { token, from, to, spender, amount, path } = rejected;
  const start = path.slice(0, depth).reduce<CallFrame | undefined>((frame, place) => frame?.calls[place], root);
  const history = start === undefined ? undefined : followTokens(start, path.slice(depth));
  if (spender !== undefined) {
    const first = await readAllowance(fork, { token, owner: from, spender }, changes);
    // The last argument of an NFT transfer is not an amount.
    if (first === undefined) return undefined;
    const had = history?.allowance(token, from, spender, first) ?? first;
    if (had < amount) {
      return { kind: "allowance", spender, needed: amount, had, currency: token };
    }
  }
  const first = await readBalance(fork, token, from, changes);
  const had = history?.balance(token, from, first) ?? first;
  if (had === undefined || had >= amount) return undefined;
  // Only wrapped native currency holds native currency for its balances.
  const isUnwrapping = isSameAddress(to, token) && spender === undefined;
  if (isUnwrapping && ((await readBalance(fork, EVM_NATIVE_CURRENCY, token, changes)) ?? 0n) < had) return undefined;
  return { kind: "balance", account: from, needed: amount, had, currency: token };
}

/**
 * Reads the balance condition of a call whose caller had less native currency than the call's value. Returns undefined
 * for other calls.
 */
export async function readNativeShortage(
  fork: Fork,
  root: CallFrame,
  { frame, frames, path }: Cause,
): Promise<FailedCondition | undefined> {
  if (frame.value === 0n || frame.kind === "DELEGATECALL" || path.length === 0) return undefined;
  const { from } = frame;
  const first = (await readBalance(fork, EVM_NATIVE_CURRENCY, from)) ?? 0n;
  const calls = [...frames.slice(0, -1), ...callsBefore(root, path)];
  const had = calls.reduce((sum, call) => sum + valueOf(call, from), first);
  return had >= frame.value
    ? undefined
    : { kind: "balance", account: from, needed: frame.value, had, currency: EVM_NATIVE_CURRENCY };
}

function valueOf({ kind, from, to, value }: CallFrame, account: string): bigint {
  if (kind === "DELEGATECALL" || kind === "CALLCODE" || to === undefined) return 0n;
  const got = isSameAddress(to, account) ? value : 0n;
  return isSameAddress(from, account) ? got - value : got;
}

/** Names of minimum output arguments in swap functions. */
const MINIMUMS = ["params.amountOutMinimum", "amountOutMinimum", "amountOutMin", "min_dy", "minReturn", "minAmountOut"];

/**
 * Reads the output of a swap from the pools in the trace, or else by running it without its minimum.
 *
 * @param frames frames from the root to the failed frame
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
    if (had === undefined || had >= needed) return undefined;
    return { kind: "swapOutput", needed, had, currency: outputOf(frame, call.args) };
  }
  return undefined;
}

/** Returns the output of the last pool, which is the negative of its two amounts. */
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
  // The result is one amount, or the amounts along a path, of which the last one is the output.
  const result = index.readResult(data, output)?.[0]?.value;
  const last: unknown = Array.isArray(result) ? result.at(-1) : result;
  return typeof last === "bigint" ? last : hexToBigInt(slice(output, size(output) - 32));
}

function outputOf({ input, to = "0x" }: CallFrame, args: readonly DecodedArgument[]): Address | undefined {
  const reference = findKnownFunction(slice(input, 0, 4))?.known.gives?.token;
  const token = reference === undefined ? undefined : readToken(args, reference, to);
  return token !== undefined && isAddress(token, { strict: false }) ? getAddress(token) : undefined;
}
