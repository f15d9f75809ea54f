import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY, isSameAddress } from "../chains/address.ts";
import { parseAmount } from "../core/amounts.ts";
import { InvalidInputError } from "../core/errors.ts";
import type { Call } from "../protocol/call.ts";
import { sumCallValues } from "../protocol/quoteRules.ts";
import type { TradeType } from "../protocol/tradeType.ts";
import { approve } from "./approve.ts";
import { type CallProxyParameters, callProxy } from "./callProxy.ts";
import { cleanupErc20s } from "./cleanupErc20s.ts";
import { cleanupNative } from "./cleanupNative.ts";
import { resetAllowance } from "./resetAllowance.ts";

/** A proxy to run over the router's live balance of a token. */
export interface ProxyAction extends CallProxyParameters {
  readonly kind: "proxy";
  /** The proxy's input token. */
  readonly token: Address;
  /** True for a token that refuses to change one non-zero allowance into another. */
  readonly resetsAllowanceFirst?: boolean;
}

/** A finished call, placed as it is. */
export interface CallAction {
  readonly kind: "call";
  readonly call: Call;
}

/** Something that the array must do. */
export type PlannedAction = ProxyAction | CallAction;

/** What {@link planCalls} takes. */
export interface CallPlan {
  readonly tradeType: Extract<TradeType, "EXACT_INPUT" | "EXACT_OUTPUT">;
  /** The destination chain's router. */
  readonly router: Address;
  /** Address of the currency that is delivered; the zero address for the native one. */
  readonly destinationCurrency: Address;
  /** What happens, in this order. */
  readonly actions: readonly PlannedAction[];
  /** Who gets what is left on the router. */
  readonly recipient: Address;
  /**
   * Smallest unit. With EXACT_INPUT what the user sends, in the origin currency. With EXACT_OUTPUT of a token what the
   * calls need of it. Left out with EXACT_OUTPUT of the native currency, where it is the sum of the values.
   */
  readonly amount?: bigint;
}

/** The parts of a quote request that a plan decides. */
export interface PlannedCalls {
  readonly txs: Call[];
  /** Smallest unit, decimal. */
  readonly amount: string;
  readonly tradeType: CallPlan["tradeType"];
}

/**
 * Puts the calls of a plan in order: for each proxy its approval and its call; then the sweeps of tokens and native to
 * the recipient; then every approval back to zero, because whatever the router has approved, anyone can spend.
 *
 * @throws {@link InvalidInputError} when nothing is to be done, or `amount` does not fit the trade type
 */
export function planCalls(plan: CallPlan): PlannedCalls {
  if (plan.actions.length === 0) {
    throw new InvalidInputError({
      field: "actions",
      value: [],
      reason: "there is nothing to execute",
      cure: "Name at least one proxy or call; for a bare transfer quote without txs.",
    });
  }
  for (const [index, action] of plan.actions.entries()) {
    if (action.kind === "call") parseAmount(action.call.value, `actions[${index}].call.value`);
  }
  const proxies = plan.actions.filter((action) => action.kind === "proxy");
  const tokens = uniqueAddresses(proxies.map(({ token }) => token).concat(deliveredToken(plan)));
  const txs = [
    ...plan.actions.flatMap(callsOf),
    ...(tokens.length === 0
      ? []
      : [
          cleanupErc20s({
            router: plan.router,
            cleanups: tokens.map((token) => ({ token, recipient: plan.recipient })),
          }),
        ]),
    cleanupNative({ router: plan.router, recipient: plan.recipient }),
    ...proxies.map(({ token, proxy }) => resetAllowance({ token, spender: proxy })),
  ];
  return { txs, amount: amountOf(plan, txs).toString(), tradeType: plan.tradeType };
}

function callsOf(action: PlannedAction): Call[] {
  switch (action.kind) {
    case "call":
      return [action.call];
    case "proxy":
      return [
        ...(action.resetsAllowanceFirst === true
          ? [resetAllowance({ token: action.token, spender: action.proxy })]
          : []),
        approve({ token: action.token, spender: action.proxy }),
        callProxy(action),
      ];
  }
}

/** The amount of the quote request (spec 2, call rule 1, for the cases it holds in). */
function amountOf(plan: CallPlan, txs: readonly Call[]): bigint {
  const isSum = plan.tradeType === "EXACT_OUTPUT" && isNative(plan.destinationCurrency);
  if (isSum) {
    const sum = sumCallValues(txs);
    if (sum > 0n && (plan.amount === undefined || plan.amount === sum)) return sum;
    throw new InvalidInputError({
      field: "amount",
      value: plan.amount,
      reason: `with EXACT_OUTPUT of the native currency it is the sum of all values, ${sum}, and more than zero`,
      cure: "Leave amount out, and give the calls the values that they need.",
    });
  }
  if (plan.amount === undefined || plan.amount <= 0n) {
    throw new InvalidInputError({
      field: "amount",
      value: plan.amount,
      reason:
        plan.tradeType === "EXACT_INPUT"
          ? "with EXACT_INPUT it is what the user sends, and more than zero"
          : "with EXACT_OUTPUT of a token it is what the calls need of it, and more than zero",
      cure: "Give amount in the smallest unit.",
    });
  }
  return plan.amount;
}

function deliveredToken({ destinationCurrency }: CallPlan): Address[] {
  return isNative(destinationCurrency) ? [] : [destinationCurrency];
}

function isNative(currency: Address): boolean {
  return isSameAddress(currency, EVM_NATIVE_CURRENCY);
}

function uniqueAddresses(addresses: readonly Address[]): Address[] {
  return addresses.filter((address, index) => addresses.findIndex((other) => isSameAddress(other, address)) === index);
}
