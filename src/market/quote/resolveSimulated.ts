import { chainFamilyOf } from "@crosscall/sdk/internal/chains/families/chainFamilyOf";
import { sumCallValues } from "@crosscall/sdk/internal/protocol/common/call";
import type { QuoteProblem } from "@crosscall/sdk/internal/protocol/quote/quoteProblem";
import type { QuoteRequest } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";
import { findQuoteProblem } from "@crosscall/sdk/internal/protocol/quote/quoteRules";
import type { DevChain } from "../../devchain/devChain.ts";
import type { Market } from "../market.ts";
import { refuseProblem } from "../refusal.ts";
import { SIMULATED_CHAINS, type SimulatedChain } from "../simulatedChains.ts";
import { evmChainsOf, type QuoteSubject, requireCurrency, requireChain } from "./resolveQuote.ts";

/** A chain of a quote, run or not. */
export type AnyChain =
  | { readonly isRun: true; readonly chain: DevChain }
  | { readonly isRun: false; readonly chain: SimulatedChain };

/** A quote request between chains of which one at least is not run. */
export interface SimulatedQuote extends QuoteSubject {
  readonly from: AnyChain;
  readonly to: AnyChain;
}

/**
 * Checks a quote request whose origin or destination is not run.
 *
 * @throws {@link RefusalError} naming the first field that cannot be used
 */
export function resolveSimulated(market: Pick<Market, "chains" | "currencies">, request: QuoteRequest): SimulatedQuote {
  const from = findChain(market, request, "originChainId");
  const to = findChain(market, request, "destinationChainId");
  const evmChains = evmChainsOf(market);
  const problem = findQuoteProblem(request, evmChains) ?? findUnsupported(request);
  if (problem !== undefined) throw refuseProblem(problem);
  const txs = request.txs ?? [];
  const { user, recipient = user, refundTo = user } = request;
  return {
    request,
    from,
    to,
    origin: from.chain,
    destination: to.chain,
    input: requireCurrency(market, request, "originCurrency", from.chain),
    output: requireCurrency(market, request, "destinationCurrency", to.chain),
    originNative: market.currencies.nativeOf(from.chain.id),
    destinationNative: market.currencies.nativeOf(to.chain.id),
    user: chainFamilyOf(from.chain.id, evmChains).parseAccount(user, "user"),
    recipient: chainFamilyOf(to.chain.id, evmChains).parseAccount(recipient, "recipient"),
    refundTo: chainFamilyOf(from.chain.id, evmChains).parseAccount(refundTo, "refundTo"),
    txs,
    callValue: sumCallValues(txs),
  };
}

function findChain(
  market: Pick<Market, "chains">,
  request: QuoteRequest,
  field: "originChainId" | "destinationChainId",
): AnyChain {
  const simulated = SIMULATED_CHAINS.get(request[field]);
  if (simulated !== undefined) return { isRun: false, chain: simulated };
  return { isRun: true, chain: requireChain(market, request, field) };
}

function findUnsupported(request: QuoteRequest): QuoteProblem | undefined {
  if (request.originChainId === request.destinationChainId) {
    return {
      errorCode: "UNSUPPORTED_ROUTE",
      field: "destinationChainId",
      value: request.destinationChainId,
      reason: "it is the origin chain, and this network does not run it",
      hint: "Choose another destination chain.",
    };
  }
  if (request.useDepositAddress !== true) return undefined;
  return {
    errorCode: "UNSUPPORTED_EXECUTION_TYPE",
    field: "useDepositAddress",
    value: true,
    reason: "deposit addresses are between chains that this network runs",
    hint: "Leave useDepositAddress out.",
  };
}
