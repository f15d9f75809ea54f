import type { Address } from "viem";

import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import { isUnlimited } from "@crosscall/sdk/kit";
import type { Effects } from "../effects/compareHoldings.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { ReplayFinding } from "../finding.ts";

export interface FindLeftoversParameters {
  readonly plan: FillPlan;
  readonly effects: Effects;
  /** In addition to the router. */
  readonly proxies: readonly Address[];
  /** The router's balance before the fill that is part of the delivered amount; smallest unit. */
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
          ? "Sweep it to the user as the last call, by cleanupErc20s or cleanupNative, or spend the live balance."
          : "Let the proxy sweep what it does not use to the recipient.",
        left: { account, currency, amount },
      },
    ];
  });
}

function findAllowances({ plan, effects, proxies }: FindLeftoversParameters): ReplayFinding[] {
  return effects.allowances.flatMap(({ token, owner, spender, before, after }): ReplayFinding[] => {
    if (after <= before || !isOneOf(owner, [plan.router, ...proxies])) return [];
    const amount = isUnlimited(after) ? "any amount" : String(after);
    const isHarmless = isOneOf(spender, proxies);
    return [
      {
        code: "LEFT_ALLOWANCE",
        severity: isHarmless ? "note" : "warning",
        txIndex: undefined,
        reason: `${spender} may still take ${amount} of ${token} from ${owner}`,
        hint: "Approve exactly what is spent, or set the allowance back to 0 after the call that spends.",
        left: { account: owner, currency: token, amount: after },
      },
    ];
  });
}

function isOneOf(account: Address, accounts: readonly Address[]): boolean {
  return accounts.some((other) => isSameAddress(other, account));
}
