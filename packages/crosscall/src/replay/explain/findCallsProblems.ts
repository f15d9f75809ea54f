import { type Address, BaseError } from "viem";

import { pushExecutorAbi } from "@crosscall/protocol/abi";
import { checkCalls, decodeCalls, readCallFacts } from "@crosscall/sdk/calls";
import { type CheckedContracts, kitExecutor } from "@crosscall/sdk/kit";
import type { Call, TradeType } from "@crosscall/protocol/common";
import type { FillPlan } from "../fillPlan.ts";
import type { ReplayFinding } from "../replayReport.ts";
import type { Fork } from "../fork/fork.ts";

export interface FindCallsProblemsParameters {
  readonly fork: Fork;
  readonly plan: FillPlan;
  /** Trade type of the plan; by default, derived from the order's amounts. */
  readonly tradeType?: TradeType | undefined;
  /** Contracts that pull their caller's balance and must end without funds. */
  readonly proxies: readonly Address[];
}

/**
 * Applies the checker's rules, with facts about the targets from the fork. By default, the amount counts as fixed if
 * the order's minimum equals the expected amount.
 */
export async function findCallsProblems({
  fork,
  plan,
  tradeType,
  proxies,
}: FindCallsProblemsParameters): Promise<ReplayFinding[]> {
  const { router, routerVersion, currency, minimumAmount, expectedAmount, recipient, refundTo } = plan;
  const txs = plan.calls.map(({ to, data, value }) => ({ to, data, value: String(value) }));
  const contracts = {
    router,
    routerVersion,
    proxies: proxies.map((address) => ({ address })),
    ...(await readExecutor(fork, txs)),
  };
  const facts = await readCallFacts(fork.client, { txs, contracts });
  const isFixed = minimumAmount === expectedAmount;
  // A single amount with EXACT_INPUT does not determine the minimum.
  const isMinimumUnknown = isFixed && tradeType === "EXACT_INPUT";
  const found = checkCalls({
    contracts,
    facts: {
      ...facts,
      ...(isMinimumUnknown ? {} : { minimumDelivered: minimumAmount }),
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

/**
 * Finds the push executor that the calls run, and its puller. The executor is recognized by its functions, like the
 * proxies.
 */
async function readExecutor(
  { client }: Fork,
  txs: readonly Call[],
): Promise<Pick<CheckedContracts, "pushExecutor" | "livePuller">> {
  const run = decodeCalls(txs).find((call) => call.kind === "function" && call.family === kitExecutor.name);
  if (run === undefined) return {};
  const pushExecutor = run.to as Address;
  try {
    const read = { address: pushExecutor, abi: pushExecutorAbi, functionName: "livePuller" } as const;
    return { pushExecutor, livePuller: await client.readContract(read) };
  } catch (error) {
    // The contract only resembles a push executor.
    if (error instanceof BaseError) return { pushExecutor };
    throw error;
  }
}
