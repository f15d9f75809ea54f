import { isSameAddress } from "@crosscall/protocol/chains";
import {
  type ApproveOperation,
  type CheckedAmount,
  isOpaque,
  isUnlimited,
  type Operation,
  type TakeOperation,
} from "./operation.ts";
import type { Permit2Allowance, RouterAllowance } from "./parameters.ts";

export interface FollowedApproval {
  readonly operation: ApproveOperation;
  /** `undefined` if neither the calls nor the facts contain the allowance. */
  readonly before: CheckedAmount | undefined;
}

export interface FollowedTake {
  readonly operation: TakeOperation;
  /** Token that the contract takes, if known. */
  readonly token: string | undefined;
  readonly allowance: CheckedAmount;
  /** Allowance in Permit2, if the contract takes tokens through Permit2 and has one. */
  readonly permit2: Permit2Entry | undefined;
}

/** Allowance of the router in Permit2. */
export interface Permit2Entry {
  readonly token: string;
  readonly spender: string;
  /** Minimum remaining amount. */
  readonly amount: bigint;
  /** Maximum remaining amount: spenders can take less than their maximum. */
  readonly most: bigint;
  /** Unix seconds; 0 for the block of the fill. */
  readonly expiration: bigint;
  /** Index of the last approving call, if any. */
  readonly index: number | undefined;
}

export interface StandingAllowance {
  readonly token: string;
  readonly spender: string;
  /** Minimum remaining amount. */
  readonly amount: CheckedAmount;
  /** Maximum remaining amount: spenders can take less than their maximum. */
  readonly most: CheckedAmount;
  /** Index of the last approving call, if any. */
  readonly index: number | undefined;
}

export interface Allowances {
  readonly approvals: readonly FollowedApproval[];
  readonly takes: readonly FollowedTake[];
  readonly standing: readonly StandingAllowance[];
  readonly standingInPermit2: readonly Permit2Entry[];
}

export interface FollowAllowancesParameters {
  readonly operations: readonly Operation[];
  /** Allowances before the calls. */
  readonly allowances?: readonly RouterAllowance[] | undefined;
  readonly permit2Allowances?: readonly Permit2Allowance[] | undefined;
  /** Returns the amount of a transfer of the router's whole balance, if known. */
  readonly taken: (token: string) => bigint | undefined;
}

/** Amount that Permit2 does not decrease (Uniswap/permit2, AllowanceTransfer.sol `_transfer`). */
export const PERMIT2_UNLIMITED = 2n ** 160n - 1n;

/** Tracks allowances of tokens, and those in Permit2. */
export function followAllowances({
  operations,
  allowances = [],
  permit2Allowances = [],
  taken,
}: FollowAllowancesParameters): Allowances {
  const book = new Map<string, StandingAllowance>();
  const permit2Book = new Map<string, Permit2Entry>();
  const keyOf = (token: string, spender: string): string => `${token} ${spender}`.toLowerCase();
  for (const fact of allowances)
    book.set(keyOf(fact.token, fact.spender), { ...fact, most: fact.amount, index: undefined });
  for (const fact of permit2Allowances)
    permit2Book.set(keyOf(fact.token, fact.spender), { ...fact, most: fact.amount, index: undefined });
  const write = (entry: StandingAllowance): void => {
    const key = keyOf(entry.token, entry.spender);
    // Keeps entries in the order of their latest change.
    book.delete(key);
    book.set(key, entry);
  };
  const ofSpender = (spender: string): StandingAllowance[] =>
    [...book.values()].filter((entry) => isSameAddress(entry.spender, spender) && entry.amount !== 0n);

  const approvals: FollowedApproval[] = [];
  const takes: FollowedTake[] = [];
  for (const operation of operations) {
    if (operation.kind === "approve") {
      const { token, spender, index } = operation;
      const before = book.get(keyOf(token, spender));
      approvals.push({ operation, before: before?.amount });
      const after = (allowance: CheckedAmount = 0n): CheckedAmount =>
        operation.isAdded ? add(allowance, operation.amount) : operation.amount;
      write({ token, spender, amount: after(before?.amount), most: after(before?.most), index });
    } else if (operation.kind === "permit2Approve") {
      const { token, spender, index, amount, expiration } = operation;
      const key = keyOf(token, spender);
      const kept = expiration ?? permit2Book.get(key)?.expiration ?? 0n;
      permit2Book.set(key, { token, spender, amount, most: amount, expiration: kept, index });
    } else if (operation.kind === "take") {
      const { spender, amount, through, isMaximum } = operation;
      const candidates = ofSpender(spender);
      // If a pool has several coins, the call likely takes the coin whose allowance equals the amount.
      const meant = candidates.findLast((entry) => entry.amount === amount) ?? candidates.at(-1);
      const token = operation.token ?? meant?.token;
      const entry = token === undefined ? undefined : book.get(keyOf(token, spender));
      const used = amount === "balance" && token !== undefined ? taken(token) : amount;
      const permit2Key = token === undefined || through === undefined ? "" : keyOf(token, through);
      const permit2 = permit2Book.get(permit2Key);
      takes.push({ operation, token, allowance: entry?.amount ?? 0n, permit2 });
      if (permit2 !== undefined) {
        const most = isMaximum ? permit2.most : lowerInPermit2(permit2.most, used);
        permit2Book.set(permit2Key, { ...permit2, amount: lowerInPermit2(permit2.amount, used), most });
      }
      if (entry !== undefined) {
        const most = isMaximum ? entry.most : lower(entry.most, used);
        write({ ...entry, amount: lower(entry.amount, used), most });
      }
    } else if (operation.kind === "call" && isOpaque(operation.call)) {
      // The amount is unknown, so this assumes that the call uses exact approvals completely.
      for (const entry of ofSpender(operation.call.to)) {
        write({ ...entry, amount: lower(entry.amount, undefined), most: lower(entry.most, undefined) });
      }
    }
  }
  const isLeft = ({ most }: { readonly most: CheckedAmount }): boolean => most !== 0n;
  return {
    approvals,
    takes,
    standing: [...book.values()].filter(isLeft),
    standingInPermit2: [...permit2Book.values()].filter(isLeft),
  };
}

function lowerInPermit2(allowance: bigint, used: CheckedAmount | undefined): bigint {
  if (allowance === PERMIT2_UNLIMITED) return allowance;
  if (typeof used !== "bigint") return 0n;
  return allowance > used ? allowance - used : 0n;
}

function add(before: CheckedAmount, amount: CheckedAmount): CheckedAmount {
  return before === "balance" || amount === "balance" ? "balance" : before + amount;
}

function lower(allowance: CheckedAmount, used: CheckedAmount | undefined): CheckedAmount {
  if (isUnlimited(allowance)) return allowance;
  if (allowance === "balance" || used === undefined || used === "balance") return 0n;
  return allowance > used ? allowance - used : 0n;
}
