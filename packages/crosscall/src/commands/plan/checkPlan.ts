import { type CallFacts, type CallFinding, checkCalls, readCallFacts } from "@crosscall/sdk/calls";
import type { CheckedPlan } from "@crosscall/sdk/kit";
import { abortable, ChainError, compact, InvalidInputError } from "@crosscall/protocol/core";
import { findMismatch } from "@crosscall/protocol/schema";
import { type QuoteRequest, QuoteRequestSchema } from "@crosscall/protocol/quote/rules";

import type { BuiltPlan } from "./buildPlan.ts";
import type { Command } from "../../options/command.ts";
import type { FoundNetwork } from "../../options/network.ts";
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
  /** Checks are skipped if the variable serves another chain, or this folder's network does not respond. */
  readonly source: "option" | "variable" | "network";
}

/**
 * Finds the node for the checks: the option or the variable, or else that of this folder's network. Ignores an empty
 * value.
 *
 * @param network this folder's network; undefined if the command uses another service
 */
export function nodeOf(
  { rpcUrl }: { readonly rpcUrl?: string },
  command: Command,
  { request }: BuiltPlan,
  network: FoundNetwork | undefined,
): AskedNode | undefined {
  if (rpcUrl !== undefined && rpcUrl !== "") {
    return { rpcUrl, source: command.getOptionValueSource("rpcUrl") === "env" ? "variable" : "option" };
  }
  const ownUrl = network?.rpcUrls[String(request.destinationChainId)];
  return ownUrl === undefined ? undefined : { rpcUrl: ownUrl, source: "network" };
}

/**
 * Reads on-chain facts about a plan's calls. Returns nothing if the URL is from the variable and serves another chain,
 * or this folder's network does not respond.
 *
 * @param note called with a message if the chain is skipped
 */
export async function readFacts(
  { request, contracts }: BuiltPlan,
  { rpcUrl, source }: AskedNode,
  { signal, note }: { readonly signal: AbortSignal; readonly note: (text: string) => void },
): Promise<CallFacts> {
  const expected = request.destinationChainId;
  // Other commands accept `chainId=url` in the variable.
  const { url } = parseRpcUrl(rpcUrl);
  const connected = connectTarget(url, source === "option" ? expected : undefined, signal);
  const target = await abortable(connected, signal, "reading the chain id").catch((error: unknown) => {
    if (source === "network" && error instanceof ChainError) return undefined;
    throw error;
  });
  if (target === undefined || (expected !== undefined && target.chainId !== expected)) {
    const why =
      source === "variable"
        ? `${VARIABLE} serves chain ${target?.chainId}, but the calls are for chain ${expected}`
        : `the network of this folder does not serve chain ${expected}`;
    note(`${why}: on-chain checks are skipped`);
    return {};
  }
  return readCallFacts(target.client, { txs: request.txs ?? [], contracts, signal });
}
