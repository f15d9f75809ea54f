import { parseEvmAddress } from "../chains/address.ts";
import { chainFamilyOf, type KnownChain } from "../chains/families/chainFamilyOf.ts";
import { parseAmount } from "../encoding/amounts.ts";
import { type Call, parseCallData, sumCallValues } from "../common/call.ts";
import { parseProblems, problemIf, type QuoteProblem } from "./quoteProblem.ts";
import type { QuoteRequest } from "./quoteRequest.ts";

/**
 * Checks the rules for calls that depend neither on a chain nor on the meaning of the calls (spec 2, call execution
 * rules 1 and 3; cases: spec 4, section 4).
 */
export function callProblems(request: QuoteRequest, chains: readonly KnownChain[]): QuoteProblem[] {
  const txs = request.txs ?? [];
  if (txs.length === 0) return [];
  const encoding = txs.flatMap(encodingProblems);
  return [
    ...encoding,
    ...supportProblems(request, chains),
    // Sums only valid values.
    ...(encoding.length === 0 ? valueProblems(request, txs, chains) : []),
  ];
}

function encodingProblems(call: Call, index: number): QuoteProblem[] {
  return [
    ...parseProblems("INVALID_EXTRA_TXS", call.to, `txs[${index}].to`, parseEvmAddress),
    ...parseProblems("INVALID_EXTRA_TXS", call.data, `txs[${index}].data`, parseCallData),
    ...parseProblems("INVALID_EXTRA_TXS", call.value, `txs[${index}].value`, parseAmount),
  ];
}

function supportProblems(
  { destinationChainId, tradeType }: QuoteRequest,
  chains: readonly KnownChain[],
): QuoteProblem[] {
  return [
    ...problemIf(
      !chainFamilyOf(destinationChainId, chains).takesCalls,
      "EXTRA_TXS_NOT_SUPPORTED",
      { destinationChainId },
      "calls need a router, which only EVM chains have",
      "Choose an EVM destination, or omit txs.",
    ),
    ...problemIf(
      tradeType === "EXPECTED_OUTPUT",
      "EXTRA_TXS_NOT_SUPPORTED",
      { tradeType },
      "calls support only EXACT_INPUT and EXACT_OUTPUT",
      "Use EXACT_OUTPUT for a fixed amount, or EXACT_INPUT with a proxy that uses the delivered amount.",
    ),
  ];
}

function valueProblems(request: QuoteRequest, txs: readonly Call[], chains: readonly KnownChain[]): QuoteProblem[] {
  const { name, nativeCurrencies, isSame } = chainFamilyOf(request.destinationChainId, chains);
  // With EXACT_INPUT, `amount` is the amount that the user sends, independent of the values.
  if (request.tradeType !== "EXACT_OUTPUT" || name !== "evm") return [];
  if (nativeCurrencies.some((native) => isSame(native, request.destinationCurrency))) {
    return sumProblems(request.amount, txs);
  }
  return txs.flatMap(({ value }, index) =>
    problemIf(
      value !== "0",
      "INVALID_EXTRA_TXS",
      { [`txs[${index}].value`]: value },
      "with EXACT_OUTPUT of a token, the router has no native currency for the calls",
      'Set the value to "0", or request the native currency.',
    ),
  );
}

function sumProblems(amount: string, txs: readonly Call[]): QuoteProblem[] {
  const sum = sumCallValues(txs);
  // The rule on amounts reports a malformed amount.
  if (parseProblems("INVALID_REQUEST", amount, "amount", parseAmount).length > 0) return [];
  return problemIf(
    amount !== sum.toString(),
    "INVALID_EXTRA_TXS",
    { amount },
    `with EXACT_OUTPUT of the native currency it must equal the sum of txs[].value, which is ${sum}`,
    `Set amount to "${sum}", or change the values to add up to amount.`,
  );
}
