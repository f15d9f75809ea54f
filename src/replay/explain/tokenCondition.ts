import { type Address, encodeFunctionData, erc20Abi, getAddress, hexToBigInt, size, slice } from "viem";

import { readAccount, readAmount } from "@crosscall/sdk/internal/calls/decode/readArgument";
import type { CallFrame } from "../callFrame.ts";
import { callFork } from "../state/callFork.ts";
import { readAllowance, readBalance } from "../state/readToken.ts";
import type { StateChanges } from "../state/stateChanges.ts";
import { createAbiIndex } from "../trace/abiIndex.ts";
import type { FailedCondition } from "../verdict.ts";
import type { Cause } from "./findCause.ts";
import { followTokens } from "./followTokens.ts";
import type { Fork } from "../fork/fork.ts";

/** What a token was asked for and did not give. */
export interface TokenRefusal {
  readonly token: Address;
  readonly from: Address;
  readonly to: Address;
  /** Who takes it, where it is not the one from whom it goes. */
  readonly spender: Address | undefined;
  readonly amount: bigint;
  /** The path to the call of the token, from the root. */
  readonly path: readonly number[];
}

/** An allowance or a balance that is too small for a transfer. */
export type TokenShortage = Extract<FailedCondition, { readonly kind: "allowance" | "balance" }>;

/** The transfer that failed: the cause itself, or what it asked of a token last, and was refused by a no. */
export function findRefusal(cause: Cause): TokenRefusal | undefined {
  const { path, frame } = cause;
  const { called, calledPath } = lastCalled(cause);
  const own = readTransfer(called, calledPath);
  if (own !== undefined) return own;
  const place = frame.calls.findLastIndex(({ kind }) => kind === "CALL");
  const last = frame.calls[place];
  if (last === undefined || (last.error === undefined && !saysNo(last))) return undefined;
  return readTransfer(last, [...path, place]);
}

/** Where the cause was called: tokens behind a proxy of their own fail in the code that they delegate to. */
function lastCalled({ path, frame, frames }: Cause) {
  const depth = frames.findLastIndex(({ kind }) => kind !== "DELEGATECALL");
  return { called: frames[depth] ?? frame, calledPath: path.slice(0, Math.max(depth, 0)) };
}

/** Whether a call answered with a plain no. */
export function saysNo({ output }: CallFrame): boolean {
  return size(output) === 32 && hexToBigInt(slice(output, 0, 32)) === 0n;
}

/**
 * The allowance that stood where a token refuses to change one into another; old tokens do so without a word. Such a
 * token takes none at all, and refuses any other.
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

/** Reads the transfer of a token that a call asks for. */
function readTransfer(frame: CallFrame, path: readonly number[]): TokenRefusal | undefined {
  const { kind, from, to, input } = frame;
  if (kind !== "CALL" || to === undefined || size(input) < 4) return undefined;
  const call = createAbiIndex().readCall(input);
  const [first, second, third] = call?.args.map(({ name }) => name) ?? [];
  if (call === undefined || first === undefined) return undefined;
  const token = getAddress(to);
  const account = (name: string): Address => getAddress(readAccount(call.args, name) ?? from);
  // Of wrapped native, which goes to nobody.
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
 * Reads what a token that refused a transfer had: too small an allowance, too small a balance, or neither.
 *
 * @param place of the multicall's call in which it happened, along the path
 */
export async function readShortage(
  fork: Fork,
  root: CallFrame,
  refusal: TokenRefusal,
  { changes, depth }: { readonly changes: StateChanges | undefined; readonly depth: number },
): Promise<TokenShortage | undefined> {
  const { token, from, spender, amount, path } = refusal;
  const start = path.slice(0, depth).reduce<CallFrame | undefined>((frame, place) => frame?.calls[place], root);
  const history = start === undefined ? undefined : followTokens(start, path.slice(depth));
  if (spender !== undefined) {
    const first = await readAllowance(fork, { token, owner: from, spender }, changes);
    // An NFT's, whose last argument is no amount.
    if (first === undefined) return undefined;
    const had = history?.allowance(token, from, spender, first) ?? first;
    if (had < amount) {
      return { kind: "allowance", spender, needed: amount, had, currency: token };
    }
  }
  const first = await readBalance(fork, token, from, changes);
  const had = history?.balance(token, from, first) ?? first;
  if (had === undefined || had >= amount) return undefined;
  return { kind: "balance", account: from, needed: amount, had, currency: token };
}
