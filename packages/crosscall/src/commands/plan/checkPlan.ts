import { type CallFacts, type CallFinding, checkCalls, readCallFacts } from "@crosscall/sdk/calls";
import type { CheckedPlan } from "@crosscall/sdk/kit";
import { abortable, compact, InvalidInputError } from "@crosscall/protocol/core";
import { findMismatch } from "@crosscall/protocol/schema";
import { type QuoteRequest, QuoteRequestSchema } from "@crosscall/protocol/quote/rules";

import type { BuiltPlan } from "./buildPlan.ts";
import type { Command } from "../../options/command.ts";
import { connectTarget, parseRpcUrl } from "../../options/target.ts";

export function requireCalls({ request }: BuiltPlan): CheckedPlan {
  const { txs, tradeType, amount, destinationCurrency, recipient, refundTo } = request;
  if (txs === undefined || txs.length === 0) {
    throw missing("txs", "the plan has no calls", "Add a recipe, actions or txs.");
  }
  if (tradeType === undefined) {
    throw missing(
      "tradeType",
      "it determines whether the amount is paid or received",
      "Use EXACT_INPUT or EXACT_OUTPUT.",
    );
  }
  if (amount === undefined) throw missing("amount", "the calls depend on it", "Set it in the smallest unit.");
  if (destinationCurrency === undefined) {
    throw missing("destinationCurrency", "the calls depend on it", "Set the currency that the service delivers.");
  }
  return compact({ txs, tradeType, amount, destinationCurrency, recipient, refundTo });
}

/** Checks the quote request if the plan has one, and otherwise only the calls. */
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

const VARIABLE = "CROSSCALL_RPC_URL";

export interface AskedNode {
  readonly rpcUrl: string;
  /** Whether the URL is from the environment variable, which can be meant for other commands and chains. */
  readonly isVariable: boolean;
}

/** Reads the node's URL from the option or the variable. Ignores an empty value. */
export function nodeOf({ rpcUrl }: { readonly rpcUrl?: string }, command: Command): AskedNode | undefined {
  if (rpcUrl === undefined || rpcUrl === "") return undefined;
  return { rpcUrl, isVariable: command.getOptionValueSource("rpcUrl") === "env" };
}

/**
 * Reads on-chain facts about a plan's calls. Returns nothing if the URL is from the variable and serves another chain.
 *
 * @param note called with a message if the chain is skipped
 */
export async function readFacts(
  { request, contracts }: BuiltPlan,
  { rpcUrl, isVariable }: AskedNode,
  { signal, note }: { readonly signal: AbortSignal; readonly note: (text: string) => void },
): Promise<CallFacts> {
  const expected = request.destinationChainId;
  // Other commands accept `chainId=url` in the variable.
  const { url } = parseRpcUrl(rpcUrl);
  const connected = connectTarget(url, isVariable ? undefined : expected, signal);
  const { client, chainId } = await abortable(connected, signal, "reading the chain id");
  if (expected !== undefined && chainId !== expected) {
    note(`${VARIABLE} serves chain ${chainId}, but the calls are for chain ${expected}: on-chain checks are skipped`);
    return {};
  }
  return readCallFacts(client, { txs: request.txs ?? [], contracts, signal });
}
