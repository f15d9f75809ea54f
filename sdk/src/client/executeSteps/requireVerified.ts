import type { Clock } from "../../core/clock.ts";
import { compact } from "../../core/compact.ts";
import { InvalidInputError } from "../../core/errors.ts";
import { requestIdOf } from "../../protocol/quote/planSteps.ts";
import type { Quote } from "../../protocol/quote/quote.ts";
import type { ReceivedQuote } from "../../protocol/quote/quoteFreshness.ts";
import type { QuoteRequest } from "../../protocol/quote/quoteRequest.ts";
import type { Step } from "../../protocol/quote/step.ts";
import { QuoteRefusedError } from "../../verify/quoteRefusedError.ts";
import type { QuoteReport } from "../../verify/quoteReport.ts";
import type { QuoteLimits } from "../../verify/terms.ts";
import type { ServiceTrust } from "../../verify/trust.ts";
import type { Authorization } from "./stepWallet.ts";
import type { Preflight, RunPreflight } from "./requirePreflight.ts";

/** How a quote is verified before anything is signed. */
export interface VerificationOptions {
  /**
   * Pinned addresses of the service; `serviceTrust` by default, and `network.trust` on a local network. `"service"` signs
   * whatever the service asks for, without verification.
   */
  readonly trust?: ServiceTrust | "service";
  /**
   * What was asked for; by default the request in a quote of `getQuote`. Pass it with a quote from elsewhere: a service
   * could put a request of its own into its response.
   */
  readonly request?: QuoteRequest;
  readonly limits?: QuoteLimits;
  /**
   * Simulates every quote before it is signed, and fails it or not; `createPreflight` of `crosscall/preflight` creates one.
   * Without it, quotes whose steps cannot be understood by decoding are refused.
   */
  readonly preflight?: RunPreflight;
}

export interface RequireVerifiedParameters extends VerificationOptions {
  readonly quote: Quote | ReceivedQuote;
  readonly laterSteps?: readonly Step[];
  /** Ids of other requests. */
  readonly knownRequestIds?: readonly string[];
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Before the wallet is touched, since a wallet may be asked to switch its chain. Expired orders pass: they may be paid
 * already.
 *
 * @throws {@link QuoteRefusedError} when the quote does not do what was asked for
 * @throws {@link InvalidInputError} when the request is not known
 */
export async function refuseForeign(parameters: RequireVerifiedParameters): Promise<void> {
  if (parameters.trust === "service") return;
  const report = await verify(parameters);
  const isForeign = report.claims.some(({ isMet, code }) => !isMet && code !== "ORDER_DEADLINE");
  if (isForeign) throw new QuoteRefusedError({ requestId: requestIdOf(parameters.quote), report });
}

/**
 * Before something is signed.
 *
 * @throws {@link QuoteRefusedError} when the quote does not do what was asked for, or needs a simulation that is not made
 * @throws {@link InvalidInputError} when the request is not known
 */
export async function requireVerified(parameters: RequireVerifiedParameters): Promise<void> {
  const { quote, trust, preflight, laterSteps = [] } = parameters;
  if (trust === "service") return;
  const report = await verify(parameters);
  if (report.verdict === "bound") return;
  // Steps that depend on what was signed before cannot be simulated.
  const canSimulate = preflight !== undefined && laterSteps.length === 0;
  if (report.verdict === "needsSimulation" && canSimulate) return;
  throw new QuoteRefusedError({ requestId: requestIdOf(quote), report });
}

/**
 * Before an EIP-7702 authorization is signed.
 *
 * @throws {@link QuoteRefusedError} when the delegate is not pinned
 */
export async function requireDelegate(
  { quote, request, trust }: Pick<RequireVerifiedParameters, "quote" | "request" | "trust">,
  authorization: Authorization,
): Promise<void> {
  const { reportDelegation } = await import("../../verify/verifyDelegation.ts");
  const asked = requestOf({ quote, ...compact({ request }) });
  const report = reportDelegation(asked, trust === "service" ? undefined : trust, authorization);
  if (report.verdict === "refused") throw new QuoteRefusedError({ requestId: requestIdOf(quote), report });
}

/**
 * After funds are checked, because an account that cannot pay fails the simulation too.
 *
 * @throws {@link PreflightFailedError} when the simulation fails
 */
export async function requireSimulated(
  parameters: RequireVerifiedParameters & Required<Pick<Preflight, "paysGas">>,
): Promise<void> {
  const { quote, preflight, paysGas, limits, signal } = parameters;
  if (preflight === undefined) return;
  const { requirePreflight } = await import("./requirePreflight.ts");
  await requirePreflight(preflight, { request: requestOf(parameters), quote, paysGas, limits, signal });
}

async function verify(parameters: RequireVerifiedParameters): Promise<QuoteReport> {
  const { quote, trust, laterSteps, knownRequestIds, limits, clock } = parameters;
  const request = requestOf(parameters);
  // Bundlers split it off: a page needs it only when a quote is executed.
  const { verifyQuote } = await import("../../verify/verifyQuote.ts");
  return verifyQuote(
    compact({
      request,
      quote,
      trust: trust === "service" ? undefined : trust,
      laterSteps,
      knownRequestIds,
      limits,
      clock,
    }),
  );
}

export function requestOf({ quote, request }: Pick<RequireVerifiedParameters, "quote" | "request">): QuoteRequest {
  if (request !== undefined) return request;
  if ("quotedRequest" in quote) return quote.quotedRequest;
  throw new InvalidInputError({
    field: "request",
    value: undefined,
    reason: "without it, the quote cannot be compared with what was asked for",
    hint: "Pass the quote of `getQuote` as it is, or the request that it answers.",
  });
}
