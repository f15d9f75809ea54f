import { isSameAddress } from "@crosscall/protocol/chains";
import {
  type ApproveOperation,
  type CheckedAmount,
  isUnlimited,
  type Operation,
  type TakeOperation,
} from "./operation.ts";
import type { RouterAllowance } from "./parameters.ts";

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
}

export interface StandingAllowance {
  readonly token: string;
  readonly spender: string;
  readonly amount: CheckedAmount;
  /** Index of the last approving call, if any. */
  readonly index: number | undefined;
}

export interface Allowances {
  readonly approvals: readonly FollowedApproval[];
  readonly takes: readonly FollowedTake[];
  readonly standing: readonly StandingAllowance[];
}

/** Tracks allowances. `taken` returns the amount of a transfer of the router's whole balance, if known. */
export function followAllowances(
  operations: readonly Operation[],
  facts: readonly RouterAllowance[],
  taken: (token: string) => bigint | undefined,
): Allowances {
  const book = new Map<string, StandingAllowance>();
  const keyOf = (token: string, spender: string): string => `${token} ${spender}`.toLowerCase();
  for (const fact of facts) book.set(keyOf(fact.token, fact.spender), { ...fact, index: undefined });
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
      const before = book.get(keyOf(token, spender))?.amount;
      approvals.push({ operation, before });
      const amount = operation.isAdded ? add(before ?? 0n, operation.amount) : operation.amount;
      write({ token, spender, amount, index });
    } else if (operation.kind === "take") {
      const { spender, amount } = operation;
      const candidates = ofSpender(spender);
      // If a pool has several coins, the call likely takes the coin whose allowance equals the amount.
      const meant = candidates.findLast((entry) => entry.amount === amount) ?? candidates.at(-1);
      const token = operation.token ?? meant?.token;
      const entry = token === undefined ? undefined : book.get(keyOf(token, spender));
      takes.push({ operation, token, allowance: entry?.amount ?? 0n });
      const used = amount === "balance" && token !== undefined ? taken(token) : amount;
      if (entry !== undefined) write({ ...entry, amount: lower(entry.amount, used) });
    } else if (operation.kind === "call" && operation.call.kind === "unknown") {
      // The amount is unknown, so this assumes that the call uses exact approvals completely.
      for (const entry of ofSpender(operation.call.to)) write({ ...entry, amount: lower(entry.amount, undefined) });
    }
  }
  return { approvals, takes, standing: [...book.values()].filter(({ amount }) => amount !== 0n) };
}

function add(before: CheckedAmount, amount: CheckedAmount): CheckedAmount {
  return before === "balance" || amount === "balance" ? "balance" : before + amount;
}

function lower(allowance: CheckedAmount, used: CheckedAmount | undefined): CheckedAmount {
  if (isUnlimited(allowance)) return allowance;
  if (allowance === "balance" || used === undefined || used === "balance") return 0n;
  return allowance > used ? allowance - used : 0n;
}
