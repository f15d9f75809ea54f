import { refuseErrors } from "../calls/check/checkCalls.ts";
import type { CallFinding } from "../calls/check/finding.ts";
import type { CallFacts, CheckedContracts } from "../calls/check/parameters.ts";
import type { FindingCode } from "../calls/check/rules.ts";
import { parseServiceAddress } from "../chains/address.ts";
import { SVM_CHAIN_ID } from "../chains/chainIds.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { compact } from "../core/compact.ts";
import { ServiceError } from "../core/errors.ts";
import { QuoteSchema } from "../protocol/quote/quote.ts";
import type { ReceivedQuote } from "../protocol/quote/quoteFreshness.ts";
import type { QuoteRequest } from "../protocol/quote/quoteRequest.ts";
import { nextSvmRoute, type SvmRoute } from "../protocol/quote/svmRoute.ts";
import { callService } from "./callService.ts";
import type { CallChecker, ServiceClient } from "./client.ts";
import { getChains } from "./getChains.ts";
import { requireValidRequest } from "./requireValidRequest.ts";

/** Parameters of `getQuote`: the fields of the quote request (spec 2, section 4) and request options. */
export interface GetQuoteParameters extends QuoteRequest {
  /**
   * Whether to try smaller routes if the deposit is too large for the SVM chain; true by default. See `nextSvmRoute`.
   */
  readonly shortensSvmRoutes?: boolean;
  /** Called with the request that was finally quoted, for SVM origins. */
  readonly onSvmRoute?: (route: SvmRoute) => void;
  /** Facts for the client's checker of calls; `false` to skip it. */
  readonly checks?: QuoteChecks | false;
  /** Source of the quote's time. */
  readonly clock?: Clock;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Requests a quote (`POST /quote/v2`) after checking the request against the service's rules. Addresses on chains with
 * undocumented ids are checked with `GET /chains`. If the deposit is too large for an SVM transaction, it retries with
 * smaller routes.
 *
 * @throws {@link InvalidInputError} when a field breaks a rule; nothing is sent then
 * @throws {@link CallsRefusedError} when the client has a checker, and it finds an error in the calls; no quote is asked for
 * @throws {@link ServiceError} when the service refuses to quote; `SOLANA_TX_TOO_LARGE` when no smaller route is left
 */
export async function getQuote(client: ServiceClient, parameters: GetQuoteParameters): Promise<ReceivedQuote> {
  const { shortensSvmRoutes = true, onSvmRoute, checks = {}, clock = systemClock, signal, ...request } = parameters;
  await requireValidRequest(client, request, signal);
  if (client.checkCalls !== undefined && checks !== false && (request.txs ?? []).length > 0) {
    await checkQuotedCalls(client, client.checkCalls, { request, checks, signal });
  }
  let route: SvmRoute = { variant: "asRequested", request };
  for (;;) {
    try {
      const quote = await callService(client, {
        method: "POST",
        path: "/quote/v2",
        body: route.request,
        schema: QuoteSchema,
        signal,
      });
      if (request.originChainId === SVM_CHAIN_ID) onSvmRoute?.(route);
      return { ...quote, quotedAtMs: clock.now(), quotedRequest: route.request };
    } catch (error) {
      const smaller = shortensSvmRoutes && isTooLarge(error) ? nextSvmRoute(route.request) : undefined;
      if (smaller === undefined) throw error;
      route = smaller;
    }
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 400 && error.errorCode === "SOLANA_TX_TOO_LARGE";
}

export interface QuoteChecks {
  /** Contracts on the destination chain; by default, the service's router is looked up. */
  readonly contracts?: Partial<CheckedContracts>;
  /** Facts about the chain, from `readCallFacts`. */
  readonly facts?: CallFacts;
  /** Errors to accept; none by default. */
  readonly accepts?: readonly FindingCode[];
  /** Called with all findings, before errors end the quote. */
  readonly onFindings?: (findings: readonly CallFinding[]) => void;
}

/** Without a known router, nothing is checked, and the service decides. */
async function checkQuotedCalls(
  client: ServiceClient,
  check: CallChecker,
  { request, checks, signal }: { request: QuoteRequest; checks: QuoteChecks; signal: AbortSignal | undefined },
): Promise<void> {
  const { contracts = {}, facts, accepts, onFindings } = checks;
  const router = contracts.router ?? (await findRouter(client, request.destinationChainId, signal));
  if (router === undefined) return;
  const findings = check(compact({ request, contracts: { ...contracts, router }, facts }));
  onFindings?.(findings);
  refuseErrors(findings, accepts);
}

async function findRouter(client: ServiceClient, chainId: number, signal: AbortSignal | undefined) {
  const chains = await getChains(client, { signal });
  const router = chains.find(({ id }) => id === chainId)?.contracts?.v3?.erc20Router;
  return router == null ? undefined : parseServiceAddress(router, "contracts.v3.erc20Router");
}
