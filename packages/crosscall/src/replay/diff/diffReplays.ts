import { type Address, getAddress } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import { describeCondition } from "../describeCondition.ts";
import type { ReplayReport, Transfer } from "../replayReport.ts";
import type { FailureVerdict, Verdict } from "../verdict.ts";
import { type PlanDiff, diffPlans } from "./diffPlans.ts";

export interface Change<Value> {
  readonly before: Value;
  readonly after: Value;
}

/** Increase of the recipient's balance, smallest unit; zero address for native currency. */
export interface OutputChange extends Change<bigint> {
  readonly currency: Address;
}

/** Change of an account's balance, smallest unit. */
export interface BalanceDiff extends Change<bigint> {
  readonly account: Address;
  readonly currency: Address;
}

/** Undefined if the replay does not touch the allowance. */
export interface AllowanceDiff extends Change<bigint | undefined> {
  readonly token: Address;
  readonly owner: Address;
  readonly spender: Address;
}

/** Fields are undefined or empty if equal. */
export interface ReplayDiff {
  readonly plan: PlanDiff;
  readonly blockNumber: Change<bigint> | undefined;
  /** Smallest unit. */
  readonly amount: Change<bigint> | undefined;
  readonly verdict: Change<Verdict> | undefined;
  readonly gasUsed: Change<bigint> | undefined;
  readonly outputs: readonly OutputChange[];
  /** Transfers of only one of the two. */
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

/** The position in the call tree and the hint follow from the rest. */
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

/** A replay lists balances of accounts with changes only. */
function receivedOf({ balances, plan }: ReplayReport): ReadonlyMap<Address, bigint> {
  const own = balances.filter(({ account }) => isSameAddress(account, plan.recipient));
  return new Map(own.map(({ currency, before, after }) => [getAddress(currency), after - before]));
}

function diffBalances(before: ReplayReport, after: ReplayReport): readonly BalanceDiff[] {
  const keyed = ({ balances }: ReplayReport) =>
    new Map(balances.map((each) => [`${each.account} ${each.currency}`.toLowerCase(), each]));
  return joinMaps(keyed(before), keyed(after)).flatMap(({ left, right }) => {
    const known = left ?? right;
    if (known === undefined) return [];
    const { account, currency } = known;
    const diff = { account, currency, before: growthOf(left), after: growthOf(right) };
    return isDifferent(diff) ? [diff] : [];
  });
}

function growthOf(change: Change<bigint> | undefined): bigint {
  return change === undefined ? 0n : change.after - change.before;
}

function diffAllowances(before: ReplayReport, after: ReplayReport): readonly AllowanceDiff[] {
  const keyed = ({ allowances }: ReplayReport) =>
    new Map(allowances.map((each) => [`${each.token} ${each.owner} ${each.spender}`.toLowerCase(), each]));
  return joinMaps(keyed(before), keyed(after)).flatMap(({ left, right }) => {
    const known = left ?? right;
    if (known === undefined) return [];
    const { token, owner, spender } = known;
    const diff = { token, owner, spender, before: left?.after, after: right?.after };
    return isDifferent(diff) ? [diff] : [];
  });
}

function joinMaps<Value>(
  left: ReadonlyMap<string, Value>,
  right: ReadonlyMap<string, Value>,
): readonly { readonly left: Value | undefined; readonly right: Value | undefined }[] {
  const keys = new Set([...left.keys(), ...right.keys()]);
  return [...keys].map((key) => ({ left: left.get(key), right: right.get(key) }));
}

function isDifferent({ before, after }: Change<bigint | undefined>): boolean {
  return before !== after;
}

/** Multiset difference. */
function withoutEach(list: readonly Transfer[], others: readonly Transfer[]): readonly Transfer[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(keyOf(other), (counts.get(keyOf(other)) ?? 0) + 1);
  return list.filter((transfer) => {
    const count = counts.get(keyOf(transfer)) ?? 0;
    counts.set(keyOf(transfer), count - 1);
    return count <= 0;
  });
}

/** Without the call's index, which shifts when a call is inserted. */
function keyOf({ currency, from, to, amount }: Transfer): string {
  return `${currency} ${from} ${to} ${amount}`.toLowerCase();
}
