import { type Address, type Abi, size } from "viem";
import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import { isUnlimited } from "@crosscall/sdk/kit";

import type { Effects } from "../effects/effects.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { ReplayFinding } from "../replayReport.ts";
import type { CallFrame } from "../trace/callFrame.ts";
import { type AbiIndex, createAbiIndex } from "../trace/abiIndex.ts";
import { describeFailure } from "../trace/readTrace.ts";
import { numberCalls, walkCalls } from "../trace/orderCalls.ts";
import { ANSWERING, saysNo } from "./stateConditions.ts";

interface FindLeftoversParameters {
  readonly plan: FillPlan;
  readonly effects: Effects;
  /** Contracts to check in addition to the router. */
  readonly proxies: readonly Address[];
  /** Part of the delivered amount that the router held before the fill, in the smallest unit. */
  readonly delivered: bigint;
}

const DUST = 2n;

export function findLeftovers(parameters: FindLeftoversParameters): ReplayFinding[] {
  return [...findTokens(parameters), ...findAllowances(parameters)];
}

function findTokens({ plan, effects, proxies, delivered }: FindLeftoversParameters): ReplayFinding[] {
  const watched = [plan.router, ...proxies];
  return effects.balances.flatMap(({ account, currency, before, after }): ReplayFinding[] => {
    if (!isOneOf(account, watched)) return [];
    const isRouter = isSameAddress(account, plan.router);
    const isDelivered = isRouter && isSameAddress(currency, plan.currency);
    const own = isDelivered && !isEvmNative(currency) ? before - delivered : before;
    const amount = after - own;
    if (amount <= 0n) return [];
    const what = isEvmNative(currency) ? "native currency" : `of ${currency}`;
    return [
      {
        code: "LEFT_TOKENS",
        severity: isRouter ? "error" : amount <= DUST ? "note" : "warning",
        txIndex: undefined,
        reason: `${amount} ${what} stay on the ${isRouter ? "router" : `proxy ${account}`}, where anyone can take them`,
        hint: isRouter
          ? "Sweep the remainder to the user in the last call, with cleanupErc20s or cleanupNative, or spend the live balance."
          : "Let the proxy sweep unused funds to the recipient.",
        left: { account, currency, amount },
      },
    ];
  });
}

function findAllowances({ plan, effects, proxies }: FindLeftoversParameters): ReplayFinding[] {
  return effects.allowances.flatMap(({ token, owner, spender, before, after }): ReplayFinding[] => {
    // Proxies take tokens from their caller only.
    if (after <= before || !isOneOf(owner, [plan.router, ...proxies]) || isOneOf(spender, proxies)) return [];
    const amount = isUnlimited(after) ? "any amount" : String(after);
    return [
      {
        code: "LEFT_ALLOWANCE",
        severity: "warning",
        txIndex: undefined,
        reason: `${spender} may still take ${amount} of ${token} from ${owner}`,
        hint: "Approve exactly the spent amount, or reset the allowance to 0 after the call that spends.",
        left: { account: owner, currency: token, amount: after },
      },
    ];
  });
}

function isOneOf(account: Address, accounts: readonly Address[]): boolean {
  return accounts.some((other) => isSameAddress(other, account));
}

interface Search {
  readonly index: AbiIndex;
  readonly indexes: ReadonlyMap<CallFrame, number>;
}

/**
 * Finds calls that failed or returned false while the fill continued. Omits failed reads, because contracts try them on
 * purpose.
 */
export function findSwallowed(root: CallFrame, plan: FillPlan, abis?: readonly Abi[]): ReplayFinding[] {
  const { indexes } = numberCalls(root, plan);
  return findIn(root, undefined, { index: createAbiIndex(abis), indexes });
}

function findIn(frame: CallFrame, outer: number | undefined, search: Search): ReplayFinding[] {
  if (frame.error !== undefined) return [];
  return frame.calls.flatMap((call) => {
    const own = search.indexes.get(call);
    const txIndex = own ?? outer;
    const reason = call.kind === "STATICCALL" ? undefined : readFailure(call, search.index);
    const found: ReplayFinding[] =
      reason === undefined
        ? []
        : [
            {
              code: "SWALLOWED_FAILURE",
              severity: own === undefined ? "note" : "warning",
              txIndex,
              reason,
              hint: hintOf(call, own),
            },
          ];
    return [...found, ...findIn(call, txIndex, search)];
  });
}

function hintOf({ error }: CallFrame, own: number | undefined): string {
  if (error === "out of gas") {
    return "Request a quote with more gas: the call gets at most 63/64 of what its caller has, and the result depends on it.";
  }
  return own === undefined
    ? "Check that the calling contract is meant to ignore this failure."
    : "Let the call fail the fill, so that the user is refunded, or handle its failure in a later call.";
}

function readFailure(call: CallFrame, index: AbiIndex): string | undefined {
  const target = String(call.to);
  if (call.error === "out of gas") return `a call to ${target} ran out of its ${call.gas} gas, but the fill continued`;
  const failure = describeFailure(call, index);
  if (failure !== undefined) return `a call to ${target} failed, but the fill continued: ${failure}`;
  const name = size(call.input) < 4 ? undefined : index.readCall(call.input)?.item.name;
  return name !== undefined && ANSWERING.has(name) && saysNo(call)
    ? `${target} returned false from ${name}, but the fill continued`
    : undefined;
}

/**
 * Finds fills that succeed although the recipient receives nothing: none of its balances changes, and no event contains
 * its address.
 */
export function findUndelivered(root: CallFrame, plan: FillPlan, { balances }: Effects): ReplayFinding[] {
  const word = plan.recipient.slice(2).toLowerCase();
  const isNamed = walkCalls(root, new Map()).some(({ frame }) =>
    frame.logs.some(
      (log) =>
        // Ignores the router's own events, because they repeat its calls.
        !isSameAddress(log.address, plan.router) &&
        [...log.topics, log.data].some((part) => part.toLowerCase().includes(word)),
    ),
  );
  if (
    isNamed ||
    balances.some(({ account, before, after }) => before !== after && isSameAddress(account, plan.recipient))
  )
    return [];
  return [
    {
      code: "NOTHING_DELIVERED",
      severity: "warning",
      txIndex: undefined,
      reason: `no balance of ${plan.recipient} changes, and no event contains its address`,
      hint: "Set the user as the recipient in the call that produces the output, or sweep the output to the user.",
    },
  ];
}
