import { type Address, getAddress } from "viem";
import { isSameAddress } from "@crosscall/protocol/chains";

import { describeCondition, type FailureVerdict, type Verdict } from "./verdict.ts";
import type { AllowanceChange, BalanceChange, ReplayReport, Transfer } from "./replayReport.ts";
import type { FillPlan, FillCall } from "./fillPlan.ts";

export interface Change<Value> {
  readonly before: Value;
  readonly after: Value;
}

/** Amount that the recipient receives in each replay, in the smallest unit; the zero address is native currency. */
interface OutputChange extends Change<bigint> {
  readonly currency: Address;
}

/** Change of an account's balance in each replay, in the smallest unit. */
interface BalanceDiff extends Change<bigint> {
  readonly account: Address;
  readonly currency: Address;
}

/** Allowance in each replay. A side is undefined if its replay does not touch the allowance. */
interface AllowanceDiff extends Change<bigint | undefined> {
  readonly token: Address;
  readonly owner: Address;
  readonly spender: Address;
}

/** Differences between two replays. A field is undefined or empty if both are equal. */
export interface ReplayDiff {
  readonly plan: PlanDiff;
  readonly blockNumber: Change<bigint> | undefined;
  /** Smallest unit. */
  readonly amount: Change<bigint> | undefined;
  readonly verdict: Change<Verdict> | undefined;
  readonly gasUsed: Change<bigint> | undefined;
  readonly outputs: readonly OutputChange[];
  /** Transfers that only one of the two replays has. */
  readonly transfers: Change<readonly Transfer[]>;
  readonly balances: readonly BalanceDiff[];
  readonly allowances: readonly AllowanceDiff[];
}

export function diffReplays(before: ReplayReport, after: ReplayReport): ReplayDiff {
  return {
    plan: diffPlans(before.plan, after.plan),
    blockNumber: changeOf(before.blockNumber, after.blockNumber),
    amount: changeOf(before.amount, after.amount),
    verdict: isSameVerdict(before.verdict, after.verdict)
      ? undefined
      : { before: before.verdict, after: after.verdict },
    gasUsed: changeOf(before.gasUsed, after.gasUsed),
    outputs: diffOutputs(before, after),
    transfers: {
      before: withoutEach(before.transfers, after.transfers),
      after: withoutEach(after.transfers, before.transfers),
    },
    balances: diffBalances(before, after),
    allowances: diffAllowances(before, after),
  };
}

function changeOf<Value extends bigint>(before: Value, after: Value): Change<Value> | undefined {
  return before === after ? undefined : { before, after };
}

/** Compares two verdicts. Ignores the position in the call tree and the hint, because they follow from the rest. */
function isSameVerdict(left: Verdict, right: Verdict): boolean {
  if (left.outcome === "success" || right.outcome === "success") return left.outcome === right.outcome;
  const facts = ({ failReason, txIndex, error, condition }: FailureVerdict): string =>
    [failReason, txIndex, error, condition === undefined ? "" : describeCondition(condition)].join("\n");
  return facts(left) === facts(right);
}

function diffOutputs(before: ReplayReport, after: ReplayReport): readonly OutputChange[] {
  const [old, fresh] = [receivedOf(before), receivedOf(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .map((currency) => ({ currency, before: old.get(currency) ?? 0n, after: fresh.get(currency) ?? 0n }))
    .filter(isDifferent);
}

/** Returns the increases of the recipient's balances. A replay lists only accounts with changes. */
function receivedOf({ balances, plan }: ReplayReport): ReadonlyMap<Address, bigint> {
  const own = balances.filter(({ account }) => isSameAddress(account, plan.recipient));
  return new Map(own.map(({ currency, before, after }) => [getAddress(currency), after - before]));
}

function diffBalances(before: ReplayReport, after: ReplayReport): readonly BalanceDiff[] {
  const keyOf = ({ account, currency }: BalanceChange): string => `${account} ${currency}`;
  return joinBy(before.balances, after.balances, keyOf)
    .map(({ known: { account, currency }, left, right }) => ({
      account,
      currency,
      before: growthOf(left),
      after: growthOf(right),
    }))
    .filter(isDifferent);
}

function growthOf(change: BalanceChange | undefined): bigint {
  return change === undefined ? 0n : change.after - change.before;
}

function diffAllowances(before: ReplayReport, after: ReplayReport): readonly AllowanceDiff[] {
  const keyOf = ({ token, owner, spender }: AllowanceChange): string => `${token} ${owner} ${spender}`;
  return joinBy(before.allowances, after.allowances, keyOf)
    .map(({ known: { token, owner, spender }, left, right }) => ({
      token,
      owner,
      spender,
      before: left?.after,
      after: right?.after,
    }))
    .filter(isDifferent);
}

/** Pairs entries with the same key, ignoring case. */
function joinBy<Entry>(left: readonly Entry[], right: readonly Entry[], keyOf: (entry: Entry) => string) {
  const byKey = (entries: readonly Entry[]) => new Map(entries.map((entry) => [keyOf(entry).toLowerCase(), entry]));
  const [before, after] = [byKey(left), byKey(right)];
  return [...new Map([...after, ...before])].map(([key, known]) => ({
    known,
    left: before.get(key),
    right: after.get(key),
  }));
}

function isDifferent({ before, after }: Change<bigint | undefined>): boolean {
  return before !== after;
}

/** Returns the transfers of a list that another list does not have, counting duplicates. */
function withoutEach(list: readonly Transfer[], others: readonly Transfer[]): readonly Transfer[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(keyOf(other), (counts.get(keyOf(other)) ?? 0) + 1);
  return list.filter((transfer) => {
    const count = counts.get(keyOf(transfer)) ?? 0;
    counts.set(keyOf(transfer), count - 1);
    return count <= 0;
  });
}

/** Returns a key without the call's index, which shifts if a call is inserted. */
function keyOf({ currency, from, to, amount }: Transfer): string {
  return `${currency} ${from} ${to} ${amount}`.toLowerCase();
}

interface TermChange {
  readonly field: Exclude<keyof FillPlan, "calls">;
  readonly before: FillPlan[TermChange["field"]];
  readonly after: FillPlan[TermChange["field"]];
}

interface PlanDiff {
  readonly terms: readonly TermChange[];
  readonly calls: readonly CallChange[];
}

/** Fields other than the calls, in display order. */
const TERMS = [
  "chainId",
  "router",
  "routerVersion",
  "solver",
  "currency",
  "minimumAmount",
  "expectedAmount",
  "refundTo",
  "nftRecipient",
  "recipient",
  "orderId",
  "gas",
] as const satisfies readonly TermChange["field"][];

/** Compares addresses and bytes case-insensitively. */
export function diffPlans(before: FillPlan, after: FillPlan): PlanDiff {
  const terms = TERMS.flatMap((field) =>
    isSameTerm(before[field], after[field]) ? [] : [{ field, before: before[field], after: after[field] }],
  );
  return { terms, calls: alignCalls(before.calls, after.calls) };
}

function isSameTerm(left: TermChange["before"], right: TermChange["after"]): boolean {
  if (typeof left !== "string" || typeof right !== "string") return left === right;
  return isSameAddress(left, right) || left.toLowerCase() === right.toLowerCase();
}

/** A difference in the calls. Each index is the position in its own version, from 0. */
export type CallChange =
  | { readonly kind: "added"; readonly index: number; readonly call: FillCall }
  | { readonly kind: "removed"; readonly index: number; readonly call: FillCall }
  | {
      readonly kind: "changed";
      readonly beforeIndex: number;
      readonly before: FillCall;
      readonly afterIndex: number;
      readonly after: FillCall;
    };

/** Number of characters of a selector with `0x`. */
const SELECTOR_END = 10;

/**
 * Lists the calls that differ between two versions of an order. Calls of the same function at the same place count as
 * changed. Omits common calls.
 */
export function alignCalls(before: readonly FillCall[], after: readonly FillCall[]): readonly CallChange[] {
  const lengths = commonLengths(before, after);
  const changes: CallChange[] = [];
  let [left, right] = [0, 0];
  for (;;) {
    const [old, fresh] = [before[left], after[right]];
    if (old === undefined && fresh === undefined) return changes;
    if (old !== undefined && fresh !== undefined && isSameCall(old, fresh)) {
      left += 1;
      right += 1;
    } else if (old !== undefined && fresh !== undefined && isSameFunction(old, fresh) && isFree(lengths, left, right)) {
      changes.push({ kind: "changed", beforeIndex: left, before: old, afterIndex: right, after: fresh });
      left += 1;
      right += 1;
    } else if (
      old !== undefined &&
      (fresh === undefined || at(lengths, left + 1, right) >= at(lengths, left, right + 1))
    ) {
      changes.push({ kind: "removed", index: left, call: old });
      left += 1;
    } else if (fresh !== undefined) {
      changes.push({ kind: "added", index: right, call: fresh });
      right += 1;
    }
  }
}

/** Returns the lengths of the longest common subsequences of the remaining calls, by both start indexes. */
function commonLengths(before: readonly FillCall[], after: readonly FillCall[]): readonly (readonly number[])[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let left = before.length - 1; left >= 0; left -= 1) {
    const row = lengths[left] ?? [];
    for (let right = after.length - 1; right >= 0; right -= 1) {
      const [old, fresh] = [before[left], after[right]];
      const isSame = old !== undefined && fresh !== undefined && isSameCall(old, fresh);
      row[right] = isSame
        ? at(lengths, left + 1, right + 1) + 1
        : Math.max(at(lengths, left + 1, right), at(lengths, left, right + 1));
    }
  }
  return lengths;
}

/** Returns whether neither call has a match among the other's remaining calls. */
function isFree(lengths: readonly (readonly number[])[], left: number, right: number): boolean {
  return at(lengths, left + 1, right + 1) === at(lengths, left, right);
}

function at(lengths: readonly (readonly number[])[], left: number, right: number): number {
  return lengths[left]?.[right] ?? 0;
}

function isSameCall(left: FillCall, right: FillCall): boolean {
  return (
    isSameAddress(left.to, right.to) &&
    left.data.toLowerCase() === right.data.toLowerCase() &&
    left.value === right.value &&
    left.allowFailure === right.allowFailure
  );
}

function isSameFunction(left: FillCall, right: FillCall): boolean {
  const selectorOf = ({ data }: FillCall): string => data.slice(0, SELECTOR_END).toLowerCase();
  return isSameAddress(left.to, right.to) && selectorOf(left) === selectorOf(right);
}
