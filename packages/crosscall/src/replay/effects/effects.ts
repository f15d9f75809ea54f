import { EVM_NATIVE_CURRENCY, isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import { type Address, getAddress, type Hex, size, slice, toEventSelector, zeroAddress } from "viem";
import { findKnownFunction, kitExecutor, kitProxies } from "@crosscall/sdk/kit";

import type { CallFrame } from "../trace/callFrame.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { AllowanceChange, BalanceChange } from "../replayReport.ts";
import { listTransfers } from "../trace/listTransfers.ts";
import type { Fork } from "../fork/fork.ts";
import { readAllowance, readBalance } from "../fork/readState.ts";
import { type AbiIndex, createAbiIndex } from "../trace/abiIndex.ts";
import { numberCalls, walkCalls } from "../trace/orderCalls.ts";

export interface Effects {
  readonly balances: readonly BalanceChange[];
  readonly allowances: readonly AllowanceChange[];
}

interface CompareHoldingsParameters {
  readonly touched: Touched;
  readonly before: Holdings;
  readonly after: Holdings;
  /** Call tree of the fill's transaction, which ran between the two readings. */
  readonly root: CallFrame;
  readonly plan: FillPlan;
}

/** Compares holdings before and after the fill, without the sender's gas payment. */
export function compareHoldings({ touched, before, after, root, plan }: CompareHoldingsParameters): Effects {
  const sender = root.from;
  const sent = listTransfers(root, plan).reduce((sum, { currency, from, to, amount }) => {
    if (!isEvmNative(currency)) return sum;
    return sum + (isSameAddress(to, sender) ? amount : 0n) - (isSameAddress(from, sender) ? amount : 0n);
  }, 0n);
  const has = touched.balances.map(({ account, currency }, index) => {
    const isOfSender = isSameAddress(account, sender) && isEvmNative(currency);
    const had = before.balances[index];
    return isOfSender && had !== undefined ? had + sent : after.balances[index];
  });
  return {
    balances: pair(touched.balances, before.balances, has),
    allowances: pair(touched.allowances, before.allowances, after.allowances),
  };
}

function pair<Each extends object>(
  touched: readonly Each[],
  before: readonly (bigint | undefined)[],
  after: readonly (bigint | undefined)[],
): (Each & { readonly before: bigint; readonly after: bigint })[] {
  return touched.flatMap((each, index) => {
    const [had, has] = [before[index], after[index]];
    return had === undefined || has === undefined ? [] : [{ ...each, before: had, after: has }];
  });
}

/** Balances and allowances in the order of the query; undefined if the token does not respond. */
interface Holdings {
  readonly balances: readonly (bigint | undefined)[];
  readonly allowances: readonly (bigint | undefined)[];
}

/** Reads holdings in the fork's current state. */
export async function readHoldings(fork: Fork, { balances, allowances }: Touched): Promise<Holdings> {
  return {
    balances: await Promise.all(balances.map(({ account, currency }) => readBalance(fork, currency, account))),
    allowances: await Promise.all(allowances.map((allowance) => readAllowance(fork, allowance))),
  };
}

export interface TouchedBalance {
  readonly account: Address;
  readonly currency: Address;
}

interface TouchedAllowance {
  readonly token: Address;
  readonly owner: Address;
  readonly spender: Address;
}

interface Touched {
  readonly balances: readonly TouchedBalance[];
  readonly allowances: readonly TouchedAllowance[];
}

const APPROVAL = toEventSelector("Approval(address,address,uint256)");

/**
 * Lists the accounts, tokens and allowances that logs and calls touch. Calls count too, because old tokens emit no
 * events.
 */
export function listTouched(root: CallFrame, plan: FillPlan, proxies: readonly Address[]): Touched {
  const { indexes } = numberCalls(root, plan);
  const frames = walkCalls(root, indexes).map(({ frame }) => frame);
  const index = createAbiIndex();
  const moved = [
    ...listTransfers(root, plan).map(({ currency, from, to }) => ({ currency, accounts: [from, to] })),
    ...frames.flatMap((frame) => readMove(frame, index)),
  ];
  const always = [plan.router, plan.solver, plan.recipient, plan.refundTo, ...listProxies(root, plan, proxies)];
  const currencies = [plan.currency, EVM_NATIVE_CURRENCY, ...moved.map(({ currency }) => currency)];
  const balances = [
    ...unique(currencies).flatMap((currency) => always.map((account) => ({ account, currency }))),
    ...moved.flatMap(({ currency, accounts }) => accounts.map((account) => ({ account, currency }))),
  ].filter(({ account }) => account !== zeroAddress);
  return {
    balances: uniqueBy(balances, ({ account, currency }) => `${account} ${currency}`),
    allowances: uniqueBy(
      frames.flatMap((frame) => [...readAllowed(frame, index), ...frame.logs.flatMap(readApproval)]),
      ({ token, owner, spender }) => `${token} ${owner} ${spender}`,
    ),
  };
}

interface Move {
  readonly currency: Address;
  readonly accounts: readonly Address[];
}

function readMove(frame: CallFrame, index: AbiIndex): Move[] {
  const call = readTokenCall(frame, index);
  if (call === undefined) return [];
  const { token, name, accounts } = call;
  if (name === "transfer") return [{ currency: token, accounts: [getAddress(frame.from), ...accounts] }];
  return name === "transferFrom" ? [{ currency: token, accounts }] : [];
}

function readAllowed(frame: CallFrame, index: AbiIndex): TouchedAllowance[] {
  const call = readTokenCall(frame, index);
  const [first, second] = call?.accounts ?? [];
  if (call === undefined || first === undefined) return [];
  const { token, name } = call;
  const caller = getAddress(frame.from);
  switch (name) {
    case "approve":
    case "increaseAllowance":
    case "decreaseAllowance":
      return [{ token, owner: caller, spender: first }];
    case "permit":
      return second === undefined ? [] : [{ token, owner: first, spender: second }];
    case "transferFrom":
      return [{ token, owner: first, spender: caller }];
    default:
      return [];
  }
}

interface TokenCall {
  readonly token: Address;
  readonly name: string;
  /** Accounts in its arguments. */
  readonly accounts: readonly Address[];
}

function readTokenCall({ kind, to, input }: CallFrame, index: AbiIndex): TokenCall | undefined {
  if (kind !== "CALL" || to === undefined || size(input) < 4) return undefined;
  const call = index.readCall(input);
  if (call === undefined) return undefined;
  const accounts = call.args.filter(({ type }) => type === "address").map(({ value }) => getAddress(value as Address));
  return { token: getAddress(to), name: call.item.name, accounts };
}

function readApproval({ address, topics }: { address: Address; topics: readonly Hex[] }): TouchedAllowance[] {
  const [selector, owner, spender, ...others] = topics;
  // An NFT approval also has a token id.
  if (selector !== APPROVAL || owner === undefined || spender === undefined || others.length > 0) return [];
  return [{ token: getAddress(address), owner: getAddress(slice(owner, 12)), spender: getAddress(slice(spender, 12)) }];
}

function unique(accounts: readonly Address[]): Address[] {
  return [...new Set(accounts.map((account) => getAddress(account)))];
}

function uniqueBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [keyOf(item).toLowerCase(), item])).values()];
}

const FAMILIES: ReadonlySet<string> = new Set([kitProxies.name, kitExecutor.name]);

/**
 * Lists contracts that must end without funds: contracts that are called like the kit's proxies and executors, and the
 * given contracts. Includes contracts in calls of the plan that fail or are never reached.
 */
export function listProxies(root: CallFrame, plan: FillPlan, named: readonly Address[]): Address[] {
  const planned = plan.calls.flatMap(({ to, data }) => (isKitCall(data) ? [to] : []));
  const called = walkCalls(root, numberCalls(root, plan).indexes).flatMap(({ frame: { kind, to, input } }) =>
    kind === "CALL" && to !== undefined && isKitCall(input) ? [to] : [],
  );
  return [...new Set([...named, ...planned, ...called].map((account) => getAddress(account)))];
}

function isKitCall(input: Hex): boolean {
  if (size(input) < 4) return false;
  const family = findKnownFunction(slice(input, 0, 4))?.family;
  return family !== undefined && FAMILIES.has(family);
}
