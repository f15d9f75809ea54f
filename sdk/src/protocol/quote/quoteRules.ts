import type { KnownChain } from "../../chains/families/chainFamilyOf.ts";
import { listMismatches } from "../schema/findMismatch.ts";
import { addressProblems } from "./quoteAddressRules.ts";
import { callProblems } from "./quoteCallRules.ts";
import type { QuoteProblem } from "./quoteProblem.ts";
import { depositAddressProblems } from "./quoteDepositAddressRules.ts";
import { type QuoteRequest, QuoteRequestSchema } from "./quoteRequest.ts";
import { routeProblems } from "./quoteRouteRules.ts";
import { sponsorshipProblems } from "./quoteSponsorshipRules.ts";
import { amountProblems, appFeeProblems, slippageProblems } from "./quoteTermRules.ts";

/**
 * Returns the first rule that a quote request breaks; see `findQuoteProblems`.
 *
 * @param chains entries of `GET /chains`, for chain ids that are not documented
 * @returns the problem in the service's text, or `undefined` when the request can be priced
 */
export function findQuoteProblem(request: unknown, chains: readonly KnownChain[] = []): QuoteProblem | undefined {
  return findQuoteProblems(request, chains)[0];
}

/**
 * Returns every rule that a quote request breaks, in this order: its shape; if that is valid, addresses and currencies
 * by chain family, amount, calls, slippage, app fees, sponsorship, deposit address, route. Accepts any value and never
 * throws. Addresses on chains of an unknown family are not checked.
 *
 * @param chains entries of `GET /chains`, for chain ids that are not documented
 */
export function findQuoteProblems(request: unknown, chains: readonly KnownChain[] = []): QuoteProblem[] {
  const problems = listMismatches(QuoteRequestSchema, request).map(({ path, value, reason }) => {
    const field = path === "" ? "request" : path;
    const hint = `Correct ${field}: ${reason}.`;
    return { errorCode: "INVALID_REQUEST", field, value, reason, hint } as const;
  });
  return problems.length > 0 ? problems : ruleProblems(request as QuoteRequest, chains);
}

function ruleProblems(request: QuoteRequest, chains: readonly KnownChain[]): QuoteProblem[] {
  return [
    ...addressProblems(request, chains),
    ...amountProblems(request.amount),
    ...callProblems(request, chains),
    ...slippageProblems(request.slippageTolerance),
    ...appFeeProblems(request.appFees),
    ...sponsorshipProblems(request),
    ...depositAddressProblems(request),
    ...routeProblems(request),
  ];
}
