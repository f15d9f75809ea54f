import { type CallFacts, type CallFinding, checkCalls } from "@crosscall/sdk/calls";
import type { CheckedPlan } from "@crosscall/sdk/kit";
import { compact, InvalidInputError } from "@crosscall/protocol/core";
import { findMismatch } from "@crosscall/protocol/schema";
import { type QuoteRequest, QuoteRequestSchema } from "@crosscall/protocol/quote/rules";
import type { BuiltPlan } from "./buildPlan.ts";

export function requireCalls({ request }: BuiltPlan): CheckedPlan {
  const { txs, tradeType, amount, destinationCurrency, recipient, refundTo } = request;
  if (txs === undefined || txs.length === 0) {
    throw missing("txs", "the plan has no calls", "Add a recipe, actions or txs.");
  }
  if (tradeType === undefined) {
    throw missing("tradeType", "it determines what the amount means", "Use EXACT_INPUT or EXACT_OUTPUT.");
  }
  if (amount === undefined) throw missing("amount", "the calls depend on it", "Set it in the smallest unit.");
  if (destinationCurrency === undefined) {
    throw missing("destinationCurrency", "the calls depend on it", "Set the currency that the service delivers.");
  }
  return compact({ txs, tradeType, amount, destinationCurrency, recipient, refundTo });
}

/** Checks the whole quote request if the plan has one, else its calls. */
export function checkPlan(plan: BuiltPlan, facts: CallFacts = {}): CallFinding[] {
  const { request, contracts } = plan;
  const calls = requireCalls(plan);
  return isWhole(request) ? checkCalls({ request, contracts, facts }) : checkCalls({ ...calls, contracts, facts });
}

function isWhole(request: Partial<QuoteRequest>): request is QuoteRequest {
  return findMismatch(QuoteRequestSchema, request) === undefined;
}

function missing(field: string, reason: string, hint: string): InvalidInputError {
  return new InvalidInputError({ field, value: undefined, reason, hint });
}
