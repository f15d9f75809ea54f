import { type Address, getAddress, type Hex, size, slice, toEventSelector, zeroAddress } from "viem";

import { EVM_NATIVE_CURRENCY } from "@crosscall/protocol/chains";
import type { CallFrame } from "../callFrame.ts";
import type { FillPlan } from "../fillPlan.ts";
import { type AbiIndex, createAbiIndex } from "../trace/abiIndex.ts";
import { listTransfers } from "../trace/listTransfers.ts";
import { numberCalls } from "../trace/numberCalls.ts";
import { listProxies } from "./listProxies.ts";
import { walkCalls } from "./walkCalls.ts";

export interface TouchedBalance {
  readonly account: Address;
  readonly currency: Address;
}

export interface TouchedAllowance {
  readonly token: Address;
  readonly owner: Address;
  readonly spender: Address;
}

export interface Touched {
  readonly balances: readonly TouchedBalance[];
  readonly allowances: readonly TouchedAllowance[];
}

const APPROVAL = toEventSelector("Approval(address,address,uint256)");

/** By logs and by calls, since old tokens emit no events. */
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
  /** Accounts among its arguments. */
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
