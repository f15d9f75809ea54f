import { type Address, encodeFunctionData, erc20Abi, getAddress, hexToBigInt, size, slice } from "viem";

import { readAccount, readAmount } from "@crosscall/sdk/kit";
import type { CallFrame } from "../callFrame.ts";
import { callFork } from "../state/callFork.ts";
import { readAllowance, readBalance } from "../state/readToken.ts";
import type { StateChanges } from "../state/stateChanges.ts";
import { createAbiIndex } from "../trace/abiIndex.ts";
import type { FailedCondition } from "../verdict.ts";
import type { Cause } from "./findCause.ts";
import { followTokens } from "./followTokens.ts";
import type { Fork } from "../fork/fork.ts";

export interface TokenRefusal {
  readonly token: Address;
  readonly from: Address;
  readonly to: Address;
  /** The account that takes it, if not the holder. */
  readonly spender: Address | undefined;
  readonly amount: bigint;
  /** Path to the token call, from the root. */
  readonly path: readonly number[];
}

export type TokenShortage = Extract<FailedCondition, { readonly kind: "allowance" | "balance" }>;

/** The failed transfer: the cause itself, or the last token call, if it returned false. */
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

/** Tokens behind a proxy fail in the code that they delegate to. */
function lastCalled({ path, frame, frames }: Cause) {
  const depth = frames.findLastIndex(({ kind }) => kind !== "DELEGATECALL");
  return { called: frames[depth] ?? frame, calledPath: path.slice(0, Math.max(depth, 0)) };
}

/** Whether the call returned false. */
export function saysNo({ output }: CallFrame): boolean {
  return size(output) === 32 && hexToBigInt(slice(output, 0, 32)) === 0n;
}

/**
 * The allowance that a token refuses to change without a reset to zero, often without a reason. Such a token accepts
 * neither any other value.
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

function readTransfer(frame: CallFrame, path: readonly number[]): TokenRefusal | undefined {
  const { kind, from, to, input } = frame;
  if (kind !== "CALL" || to === undefined || size(input) < 4) return undefined;
  const call = createAbiIndex().readCall(input);
  const [first, second, third] = call?.args.map(({ name }) => name) ?? [];
  if (call === undefined || first === undefined) return undefined;
  const token = getAddress(to);
  const account = (name: string): Address => getAddress(readAccount(call.args, name) ?? from);
  // Burning wrapped native currency.
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
 * Which of allowance and balance was too small for the refused transfer, if any.
 *
 * @param place of the multicall's call that contains it, along the path
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
  return { kind: "balance", account: from, needed: amount, had, currency: token };
}
