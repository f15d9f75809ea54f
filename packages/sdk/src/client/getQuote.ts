import { SVM_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import { type Clock, ServiceError, systemClock } from "@crosscall/protocol/core";
import { type Quote, QuoteSchema } from "@crosscall/protocol/quote";
import type { QuoteRequest, ReceivedQuote, SvmRoute } from "@crosscall/protocol/quote/rules";
import { callService, isMissingEndpoint } from "./callService.ts";
import type { QuoteChecks } from "./checkQuotedCalls.ts";
import { hasCredentials, type ServiceClient } from "./client.ts";

/** Parameters of `getQuote`: fields of the quote request (spec 2, section 4), and request options. */
export interface GetQuoteParameters extends QuoteRequest {
  /**
   * Whether to try smaller routes if the deposit is too large for the SVM chain. Defaults to true. See `nextSvmRoute`.
   */
  readonly shortensSvmRoutes?: boolean;
  /** Called with the final quote request, for SVM origins. */
  readonly onSvmRoute?: (route: SvmRoute) => void;
  /** Facts for the client's call checker; `false` skips the check. */
  readonly checks?: QuoteChecks | false;
  /** Clock for the quote's time. */
  readonly clock?: Clock;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Requests a quote (`POST /quote/v3`, or `/quote/v2` without an API key or an access token) after checking the request
 * against the service's rules. Addresses on chains with undocumented ids are checked with `GET /chains`. If the deposit
 * is too large for an SVM transaction, it retries with smaller routes.
 *
 * @throws {@link InvalidInputError} when a field breaks a rule; no request is sent
 * @throws {@link CallsRefusedError} when the client's checker finds an error in the calls; no quote is requested
 * @throws {@link ServiceError} when the service rejects the quote request, with `SOLANA_TX_TOO_LARGE` when no smaller
 * route remains
 */
export async function getQuote(client: ServiceClient, parameters: GetQuoteParameters): Promise<ReceivedQuote> {
  const { shortensSvmRoutes = true, onSvmRoute, checks = {}, clock = systemClock, signal, ...request } = parameters;
  // Lets bundlers split off the rules, which a page needs only to request a quote.
  const { requireValidRequest } = await import("./requireValidRequest.ts");
  await requireValidRequest(client, request, signal);
  if (client.checkCalls !== undefined && checks !== false && (request.txs ?? []).length > 0) {
    const { checkQuotedCalls } = await import("./checkQuotedCalls.ts");
    await checkQuotedCalls(client, client.checkCalls, { request, checks, signal });
  }
  let route: SvmRoute = { variant: "asRequested", request };
  for (;;) {
    try {
      const quote = await requestQuote(client, route.request, signal);
      if (request.originChainId === SVM_CHAIN_ID) onSvmRoute?.(route);
      return { ...quote, quotedAtMs: clock.now(), quotedRequest: route.request };
    } catch (error) {
      if (!shortensSvmRoutes || !isTooLarge(error)) throw error;
      const { nextSvmRoute } = await import("@crosscall/protocol/quote/svmRoute");
      const smaller = nextSvmRoute(route.request);
      if (smaller === undefined) throw error;
      route = smaller;
    }
  }
}

/** Clients of services that do not support quote v3. */
const olderServices = new WeakSet<ServiceClient>();

async function requestQuote(
  client: ServiceClient,
  body: QuoteRequest,
  signal: AbortSignal | undefined,
): Promise<Quote> {
  const call = { method: "POST", body, signal } as const;
  const newest = hasCredentials(client) && !olderServices.has(client) ? 3 : 2;
  if ((client.quoteVersion ?? newest) === 3) {
    const { fromQuoteV3, QuoteV3Schema } = await import("@crosscall/protocol/quote/v3");
    try {
      return fromQuoteV3(await callService(client, { ...call, path: "/quote/v3", schema: QuoteV3Schema }));
    } catch (error) {
      if (client.quoteVersion === 3 || !isMissingEndpoint(error)) throw error;
      olderServices.add(client);
    }
  }
  return callService(client, { ...call, path: "/quote/v2", schema: QuoteSchema });
}

function isTooLarge(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 400 && error.errorCode === "SOLANA_TX_TOO_LARGE";
}
