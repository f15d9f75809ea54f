import { EVM_NATIVE_CURRENCY, isSameAddress, parseEvmAddress } from "../chains/address.ts";
import { parseAmount } from "../core/amounts.ts";
import { type Call, parseCallData } from "./call.ts";
import { findAddressProblem, isEvmChain } from "./quoteAddressRules.ts";
import { type QuoteProblem, findParseProblem } from "./quoteProblem.ts";
import type { QuoteRequest } from "./quoteRequest.ts";
import { findAmountProblem, findAppFeesProblem, findSlippageProblem } from "./quoteTermRules.ts";

/**
 * The first rule that a well-shaped quote request breaks: addresses and currencies by chain family, the amount, the
 * calls, the slippage, the app fees. Chains other than the SVM and the exchange chain are taken for EVM chains.
 *
 * @returns the problem as the service words it, or `undefined` when the request can be priced
 */
export function findQuoteProblem(request: QuoteRequest): QuoteProblem | undefined {
  return (
    findAddressProblem(request) ??
    findAmountProblem(request.amount) ??
    findCallProblem(request) ??
    findSlippageProblem(request.slippageTolerance) ??
    findAppFeesProblem(request.appFees)
  );
}

/**
 * The sum of the values of calls, in wei.
 *
 * @throws {@link InvalidInputError} when a value is no amount
 */
export function sumCallValues(txs: readonly Call[]): bigint {
  return txs.reduce((sum, call, index) => sum + parseAmount(call.value, `txs[${index}].value`), 0n);
}

/** The first rule on calls that the request breaks (spec 2, call execution rules; cases: PROTOCOL, section 4). */
function findCallProblem(request: QuoteRequest): QuoteProblem | undefined {
  const txs = request.txs ?? [];
  if (txs.length === 0) return undefined;
  return findEncodingProblem(txs) ?? findSupportProblem(request) ?? findValueProblem(request, txs);
}

function findEncodingProblem(txs: readonly Call[]): QuoteProblem | undefined {
  for (const [index, call] of txs.entries()) {
    const problem =
      findParseProblem("INVALID_EXTRA_TXS", call.to, `txs[${index}].to`, parseEvmAddress) ??
      findParseProblem("INVALID_EXTRA_TXS", call.data, `txs[${index}].data`, parseCallData) ??
      findParseProblem("INVALID_EXTRA_TXS", call.value, `txs[${index}].value`, parseAmount);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function findSupportProblem({ destinationChainId, tradeType }: QuoteRequest): QuoteProblem | undefined {
  if (!isEvmChain(destinationChainId)) {
    return {
      errorCode: "EXTRA_TXS_NOT_SUPPORTED",
      field: "destinationChainId",
      value: destinationChainId,
      reason: "calls need a router, which only EVM chains have",
      cure: "Choose an EVM destination, or leave txs out.",
    };
  }
  if (tradeType === "EXPECTED_OUTPUT") {
    return {
      errorCode: "EXTRA_TXS_NOT_SUPPORTED",
      field: "tradeType",
      value: tradeType,
      reason: "calls support EXACT_INPUT and EXACT_OUTPUT",
      cure: "Use EXACT_OUTPUT for a fixed amount, or EXACT_INPUT with a proxy that reads what was delivered.",
    };
  }
  return undefined;
}

function findValueProblem(request: QuoteRequest, txs: readonly Call[]): QuoteProblem | undefined {
  // With EXACT_INPUT `amount` is what the user sends, and the values stand beside it.
  if (request.tradeType !== "EXACT_OUTPUT") return undefined;
  if (isSameAddress(request.destinationCurrency, EVM_NATIVE_CURRENCY)) return findSumProblem(request.amount, txs);
  for (const [index, { value }] of txs.entries()) {
    if (value === "0") continue;
    return {
      errorCode: "INVALID_EXTRA_TXS",
      field: `txs[${index}].value`,
      value,
      reason: "with EXACT_OUTPUT of a token the router holds no native currency for the calls",
      cure: 'Set the value to "0", or ask for the native currency.',
    };
  }
  return undefined;
}

function findSumProblem(amount: string, txs: readonly Call[]): QuoteProblem | undefined {
  const sum = sumCallValues(txs);
  if (parseAmount(amount, "amount") === sum) return undefined;
  return {
    errorCode: "INVALID_EXTRA_TXS",
    field: "amount",
    value: amount,
    reason: `with EXACT_OUTPUT of the native currency it must equal the sum of txs[].value, which is ${sum}`,
    cure: `Set amount to "${sum}", or change the values so that they add up to it.`,
  };
}
