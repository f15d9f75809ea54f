import { EXCHANGE_CHAIN_ID } from "../../chains/chainIds.ts";
import { parseAmount } from "../../core/amounts.ts";
import { parseProblems, type QuoteProblem } from "./quoteProblem.ts";
import type { QuoteRequest } from "./quoteRequest.ts";

/** Swap sources, and what the exchange chain supports. */
export function routeProblems(request: QuoteRequest): QuoteProblem[] {
  return [...sourceProblems(request.includedOriginSwapSources), ...transferAmountProblems(request)];
}

function sourceProblems(sources: readonly string[] | undefined): QuoteProblem[] {
  if (sources === undefined) return [];
  const field = "includedOriginSwapSources";
  if (sources.length === 0) {
    return [
      {
        errorCode: "INVALID_REQUEST",
        field,
        value: sources,
        reason: "no swap source remains",
        hint: "Name at least one source, or leave it out to allow all.",
      },
    ];
  }
  return sources.flatMap((source, index) =>
    source.trim() !== "" && sources.indexOf(source) === index
      ? []
      : [
          {
            errorCode: "INVALID_REQUEST",
            field: `${field}[${index}]`,
            value: source,
            reason: "swap sources must be distinct names",
            hint: "Leave it out.",
          },
        ],
  );
}

/** A withdrawal's amount is a JSON number (spec 2, section 2.1), which is exact only up to 2^53 - 1. */
function transferAmountProblems({ originChainId, tradeType, amount }: QuoteRequest): QuoteProblem[] {
  if (originChainId !== EXCHANGE_CHAIN_ID || tradeType !== "EXACT_INPUT") return [];
  if (parseProblems("INVALID_REQUEST", amount, "amount", parseAmount).length > 0) return [];
  if (BigInt(amount) <= BigInt(Number.MAX_SAFE_INTEGER)) return [];
  return [
    {
      errorCode: "INVALID_REQUEST",
      field: "amount",
      value: amount,
      reason: `a transfer on the exchange chain carries at most ${Number.MAX_SAFE_INTEGER} of the smallest unit`,
      hint: "Withdraw it in parts.",
    },
  ];
}
