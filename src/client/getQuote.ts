import { type Quote, QuoteSchema } from "../protocol/quote.ts";
import type { QuoteRequest } from "../protocol/quoteRequest.ts";
import { findQuoteProblem } from "../protocol/quoteRules.ts";
import { InvalidInputError } from "../core/errors.ts";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";

/** What {@link getQuote} takes: the fields of the quote request (spec 2, section 4). */
export interface GetQuoteParameters extends QuoteRequest {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks the service for a quote (`POST /quote/v2`), after checking the request by the service's own rules.
 *
 * @throws {@link InvalidInputError} when a field breaks a rule; nothing is sent then
 * @throws {@link ServiceError} when the service refuses to quote
 */
export async function getQuote(client: ServiceClient, parameters: GetQuoteParameters): Promise<Quote> {
  const { signal, ...request } = parameters;
  const problem = findQuoteProblem(request);
  if (problem !== undefined) throw new InvalidInputError(problem);
  return callService(client, { method: "POST", path: "/quote/v2", body: request, schema: QuoteSchema, signal });
}
