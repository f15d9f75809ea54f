import type { Address } from "viem";

import { checkCalls } from "@crosscall/sdk/internal/calls/check/checkCalls";
import { readCallFacts } from "@crosscall/sdk/internal/client/readCallFacts";
import type { TradeType } from "@crosscall/sdk/internal/protocol/common/tradeType";
import type { FillPlan } from "../fillPlan.ts";
import type { ReplayFinding } from "../finding.ts";
import type { Fork } from "../fork/fork.ts";

/** What {@link findCallsProblems} takes. */
export interface FindCallsProblemsParameters {
  readonly fork: Fork;
  readonly plan: FillPlan;
  /** What the plan itself says of its amounts; by the amounts of its order when left out. */
  readonly tradeType?: TradeType | undefined;
  /** Those that take their caller's balance and end with nothing. */
  readonly proxies: readonly Address[];
}

/**
 * Runs the checker's rules over the calls of a fill, with what the fork says of their targets. Where nothing else is
 * said, the amount counts as fixed where the order lets nothing less be delivered than it expects.
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
  // One amount of a plan with EXACT_INPUT is what is tried, and nothing tells the least.
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
