import { compact } from "@crosscall/sdk/internal/core/compact";
import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import type { PlannedFill } from "../../src/replay/subject/subjectOfPlan.ts";
import type { FillOverrides } from "../../src/replay/subject/findReplayed.ts";
import { requireCalls } from "../plan/checkPlan.ts";
import type { BuiltPlan } from "../plan/buildPlan.ts";

/**
 * @param name the plan's file
 *
 * @throws {@link InvalidInputError} if the plan lacks what a fill needs
 */
export function toPlannedFill(name: string, plan: BuiltPlan, overrides: FillOverrides = {}): PlannedFill {
  const { txs, tradeType, amount, destinationCurrency } = requireCalls(plan);
  const { destinationChainId, recipient = plan.request.user } = plan.request;
  if (destinationChainId === undefined) {
    throw missing("destinationChainId", "the calls are executed there", "Set the destination chain's id in the plan.");
  }
  if (recipient === undefined) {
    throw missing(
      "recipient",
      "the output needs a recipient",
      "Set recipient or user in the plan, or pass --recipient.",
    );
  }
  if (tradeType === "EXACT_INPUT" && overrides.amount === undefined) {
    const hint = "Pass the delivered amount with --amount, in the smallest unit, or replay the quote.";
    throw missing("--amount", "a plan with EXACT_INPUT states what the user sends, not what is delivered", hint);
  }
  const { router, routerVersion } = plan.contracts;
  return compact({
    name,
    destinationChainId,
    destinationCurrency,
    tradeType,
    amount,
    txs,
    recipient,
    delivered: overrides.amount,
    router,
    routerVersion,
  });
}

function missing(field: string, reason: string, hint: string): InvalidInputError {
  return new InvalidInputError({ field, value: undefined, reason, hint });
}
