import type { Address } from "viem";

import { checkCalls } from "@crosscall/sdk/internal/calls/check/checkCalls";
import { readCallFacts } from "@crosscall/sdk/internal/client/readCallFacts";
import type { TradeType } from "@crosscall/sdk/internal/protocol/common/tradeType";
import type { FillPlan } from "../fillPlan.ts";
import type { ReplayFinding } from "../finding.ts";
import type { Fork } from "../fork/fork.ts";

export interface FindCallsProblemsParameters {
  readonly fork: Fork;
  readonly plan: FillPlan;
  /** As the plan states; by default derived from the order's amounts. */
  readonly tradeType?: TradeType | undefined;
  /** Contracts that take their caller's balance and end with nothing. */
  readonly proxies: readonly Address[];
}

/**
 * The checker's rules, with what the fork knows about the targets. By default, the amount counts as fixed if the
 * order's minimum equals the expected amount.
 */
export async function findCallsProblems({
  fork,
  plan,
  tradeType,
  proxies,
}: FindCallsProblemsParameters): Promise<ReplayFinding[]> {
  const { router, routerVersion, currency, minimumAmount, expectedAmount, recipient, refundTo } = plan;
  const contracts = { router, routerVersion, proxies: proxies.map((address) => ({ address })) };
  const txs = plan.calls.map(({ to, data, value }) => ({ to, data, value: String(value) }));
  const facts = await readCallFacts(fork.client, { txs, contracts });
  const isFixed = minimumAmount === expectedAmount;
  // A single EXACT_INPUT amount does not show the minimum.
  const isUntold = isFixed && tradeType === "EXACT_INPUT";
  const found = checkCalls({
    contracts,
    facts: {
      ...facts,
      ...(isUntold ? {} : { minimumDelivered: minimumAmount }),
      timestamp: fork.environment.timestamp,
    },
    tradeType: tradeType ?? (isFixed ? "EXACT_OUTPUT" : "EXACT_INPUT"),
    amount: String(expectedAmount),
    destinationCurrency: currency,
    recipient,
    refundTo,
    txs,
  });
  return found.map(({ code, severity, index, reason, hint }) => ({
    code: "CALLS_PROBLEM",
    severity,
    txIndex: index,
    reason: `${code}: ${reason}`,
    hint,
  }));
}
