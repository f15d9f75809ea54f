import type { Address } from "viem";

import { checkCalls } from "../../calls/check/checkCalls.ts";
import { readCallFacts } from "../../client/readCallFacts.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { ReplayFinding } from "../finding.ts";
import type { Fork } from "../fork/fork.ts";

/** What {@link findCallsProblems} takes. */
export interface FindCallsProblemsParameters {
  readonly fork: Fork;
  readonly plan: FillPlan;
  /** Those that take their caller's balance and end with nothing. */
  readonly proxies: readonly Address[];
}

/**
 * Runs the checker's rules over the calls of a fill, with what the fork says of their targets. The amount counts as
 * fixed where the order lets nothing less be delivered than it expects.
 */
export async function findCallsProblems({
  fork,
  plan,
  proxies,
}: FindCallsProblemsParameters): Promise<ReplayFinding[]> {
  const { router, routerVersion, currency, minimumAmount, expectedAmount, recipient, refundTo } = plan;
  const contracts = { router, routerVersion, proxies: proxies.map((address) => ({ address })) };
  const txs = plan.calls.map(({ to, data, value }) => ({ to, data, value: String(value) }));
  const facts = await readCallFacts(fork.client, { txs, contracts });
  const found = checkCalls({
    contracts,
    facts: { ...facts, minimumDelivered: minimumAmount, timestamp: fork.environment.timestamp },
    tradeType: minimumAmount === expectedAmount ? "EXACT_OUTPUT" : "EXACT_INPUT",
    amount: String(expectedAmount),
    destinationCurrency: currency,
    recipient,
    refundTo,
    txs,
  });
  return found.map(({ code, severity, index, reason, cure }) => ({
    code: "CALLS_PROBLEM",
    severity,
    txIndex: index,
    reason: `${code}: ${reason}`,
    cure,
  }));
}
