import { listMismatches } from "./findMismatch.ts";
import { addressProblems } from "./quoteAddressRules.ts";
import { callProblems } from "./quoteCallRules.ts";
import type { QuoteProblem } from "./quoteProblem.ts";
import { depositAddressProblems } from "./quoteDepositAddressRules.ts";
import { type QuoteRequest, QuoteRequestSchema } from "./quoteRequest.ts";
import { routeProblems } from "./quoteRouteRules.ts";
import { sponsorshipProblems } from "./quoteSponsorshipRules.ts";
import { amountProblems, appFeeProblems, slippageProblems } from "./quoteTermRules.ts";

/**
 * The first rule that a quote request breaks; see {@link findQuoteProblems}.
 *
 * @returns the problem as the service words it, or `undefined` when the request can be priced
 */
export function findQuoteProblem(request: unknown): QuoteProblem | undefined {
  return findQuoteProblems(request)[0];
}

/**
 * Every rule that a quote request breaks, in this order: its shape, and where that is right addresses and currencies by
 * chain family, the amount, the calls, the slippage, the app fees, the sponsorship, the deposit address, the route. Takes any value, and
 * never throws. Chains other than the SVM and the exchange chain are taken for EVM chains.
 */
export function findQuoteProblems(request: unknown): QuoteProblem[] {
  const problems = listMismatches(QuoteRequestSchema, request).map(({ path, value, reason }) => {
    const field = path === "" ? "request" : path;
    const cure = `Correct ${field}: ${reason}.`;
    return { errorCode: "INVALID_REQUEST", field, value, reason, cure } as const;
  });
  return problems.length > 0 ? problems : ruleProblems(request as QuoteRequest);
}

function ruleProblems(request: QuoteRequest): QuoteProblem[] {
  return [
    ...addressProblems(request),
    ...amountProblems(request.amount),
    ...callProblems(request),
    ...slippageProblems(request.slippageTolerance),
    ...appFeeProblems(request.appFees),
    ...sponsorshipProblems(request),
    ...depositAddressProblems(request),
    ...routeProblems(request),
  ];
}
