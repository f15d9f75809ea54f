import { type Clock, compact, InvalidInputError, InvalidStateError } from "@crosscall/protocol/core";
import { type PlannedStep, type QuoteRequest, type ReceivedQuote, requestIdOf } from "@crosscall/protocol/quote/rules";
import type { Quote, Step } from "@crosscall/protocol/quote";
import { QuoteRefusedError } from "../verify/quoteRefusedError.ts";
import type { QuoteLimits } from "../verify/terms.ts";
import type { ServiceTrust } from "../verify/trust.ts";
import type { Verification, VerifiedStep } from "../verify/verifiedSteps.ts";
import { isSameStep } from "./stepDigest.ts";
import type { Authorization } from "./stepWallet.ts";
import { type Preflight, requirePreflight, type RunPreflight } from "./requirePreflight.ts";

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
  /** Limits on what the quote costs, and on gas. */
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

/** Returns a step to sign or send, verified at this moment. Everything that calls a wallet takes its result. */
export type VerifyStep = <Step extends PlannedStep>(step: Step) => Promise<VerifiedStep<Step>>;

export interface VerifierParameters extends RequireVerifiedParameters, Required<Pick<Preflight, "paysGas">> {
  /** Of the quote and of later responses, with their positions; steps may be added. */
  readonly laterSteps: readonly Step[];
  /** Whether the simulation of the quote passed in this run. */
  readonly isSimulated: boolean;
}

/**
 * @returns a function that verifies the quote again, and simulates it unless this run did, before each prompt
 * @throws {@link QuoteRefusedError} the function does, when the quote does not do what was asked for, such as after its deadline
 */
export function createVerifier(parameters: VerifierParameters): VerifyStep {
  let { isSimulated } = parameters;
  return async <Step extends PlannedStep>(step: Step): Promise<VerifiedStep<Step>> => {
    const { acceptUnverified } = await import("../verify/verifiedSteps.ts");
    if (parameters.trust === "service") return acceptUnverified([step])[0] as VerifiedStep<Step>;
    const { steps } = await requireVerified(parameters);
    if (!isSimulated && parameters.laterSteps.length === 0) await requireSimulated(parameters);
    isSimulated = true;
    const verified = steps.find(({ position }) => position === step.position);
    if (verified !== undefined && isSameStep(verified, step)) return verified as VerifiedStep<Step>;
    throw new InvalidStateError({
      message: `step ${step.stepId} of request ${requestIdOf(parameters.quote)} changed after it was verified`,
      hint: "Pass a quote that nothing changes while it is executed.",
    });
  };
}

/**
 * Before the wallet is touched, since a wallet may be asked to switch its chain. Expired orders and permits pass: they may be paid
 * already, and are verified again before each prompt.
 *
 * @throws {@link QuoteRefusedError} when the quote does not do what was asked for
 * @throws {@link InvalidInputError} when the request is not known
 */
export async function refuseForeign(parameters: RequireVerifiedParameters): Promise<void> {
  if (parameters.trust === "service") return;
  const { report } = await verify(parameters);
  const isForeign = report.claims.some(
    ({ isMet, code }) => !isMet && code !== "ORDER_DEADLINE" && code !== "PERMIT_DEADLINE",
  );
  if (isForeign) throw new QuoteRefusedError({ requestId: requestIdOf(parameters.quote), report });
}

/**
 * Before something is signed.
 *
 * @throws {@link QuoteRefusedError} when the quote does not do what was asked for, or needs a simulation that is not made
 * @throws {@link InvalidInputError} when the request is not known
 */
export async function requireVerified(
  parameters: RequireVerifiedParameters,
): Promise<Exclude<Verification, { verdict: "refused" }>> {
  const { quote, preflight, laterSteps = [] } = parameters;
  const verification = await verify(parameters);
  if (verification.verdict === "bound") return verification;
  // Steps that depend on what was signed before cannot be simulated.
  const canSimulate = preflight !== undefined && laterSteps.length === 0;
  if (verification.verdict === "needsSimulation" && canSimulate) return verification;
  throw new QuoteRefusedError({ requestId: requestIdOf(quote), report: verification.report });
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
  const { reportDelegation } = await import("../verify/verifyDelegation.ts");
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
  await requirePreflight(preflight, { request: requestOf(parameters), quote, paysGas, limits, signal });
}

async function verify(parameters: RequireVerifiedParameters): Promise<Verification> {
  const { quote, trust, laterSteps, knownRequestIds, limits, clock } = parameters;
  const request = requestOf(parameters);
  // Bundlers split it off: a page needs it only when a quote is executed.
  const { verifySteps } = await import("../verify/verifiedSteps.ts");
  return verifySteps(
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
