import { abortable, compact, InvalidInputError, InvalidStateError } from "@crosscall/protocol/core";
import type { PlannedStep, QuoteRequest } from "@crosscall/protocol/quote/rules";
import { QuoteRefusedError } from "../verify/quoteRefusedError.ts";
import type { Verification, VerifiedStep } from "../verify/verifiedSteps.ts";
import type { ExecutionParameters } from "./executeStepsParameters.ts";
import type { Execution, PreparedExecution } from "./execution.ts";
import { PreflightFailedError } from "./executionErrors.ts";
import { isSameStep } from "./requestJournal.ts";
import type { Authorization } from "./wallets.ts";

/**
 * @param isSimulated whether the quote passed a simulation in this run
 * @returns a function to call before each prompt, which verifies the quote again, and simulates it unless this run did.
 * It throws {@link QuoteRefusedError} when the quote does not match the request, for example after its deadline
 */
export function createVerifier(
  execution: Execution,
  { isSimulated, paysGas }: { isSimulated: boolean; readonly paysGas: boolean },
): PreparedExecution["verify"] {
  return async <Step extends PlannedStep>(step: Step): Promise<VerifiedStep<Step>> => {
    const { acceptUnverified } = await import("../verify/verifiedSteps.ts");
    if (execution.trust === "service") return acceptUnverified([step])[0] as VerifiedStep<Step>;
    const { steps } = await requireVerified(execution);
    if (!isSimulated && execution.laterSteps.length === 0) await requireSimulated(execution, paysGas);
    isSimulated = true;
    const verified = steps.find(({ position }) => position === step.position);
    if (verified !== undefined && isSameStep(verified, step)) return verified as VerifiedStep<Step>;
    throw new InvalidStateError({
      message: `step ${step.stepId} of request ${execution.requestId} changed after it was verified`,
      hint: "Do not change a quote during its execution.",
    });
  };
}

/**
 * Rejects a quote that does not match the request. Runs before any wallet request, because the wallet can prompt to
 * switch its chain. Accepts expired orders and permits, which may already be paid and are verified again before each
 * prompt.
 *
 * @throws {@link QuoteRefusedError} when the quote does not match the request
 * @throws {@link InvalidInputError} when the request is missing
 */
export async function rejectForeign(execution: Execution): Promise<void> {
  if (execution.trust === "service") return;
  const { report } = await verify(execution);
  const isForeign = report.claims.some(
    ({ isMet, code }) => !isMet && code !== "ORDER_DEADLINE" && code !== "PERMIT_DEADLINE",
  );
  if (isForeign) throw new QuoteRefusedError({ requestId: execution.requestId, report });
}

/**
 * Requires a verified quote. Runs before signing.
 *
 * @throws {@link QuoteRefusedError} when the quote does not match the request, or requires a simulation that did not
 * run
 * @throws {@link InvalidInputError} when the request is missing
 */
export async function requireVerified(execution: Execution): Promise<Exclude<Verification, { verdict: "refused" }>> {
  const verification = await verify(execution);
  if (verification.verdict === "bound") return verification;
  // Steps that depend on earlier signatures cannot be simulated.
  const canSimulate = execution.preflight !== undefined && execution.laterSteps.length === 0;
  if (verification.verdict === "needsSimulation" && canSimulate) return verification;
  throw new QuoteRefusedError({ requestId: execution.requestId, report: verification.report });
}

/**
 * Requires a pinned delegate. Runs before an EIP-7702 authorization is signed.
 *
 * @throws {@link QuoteRefusedError} when the delegate is not pinned
 */
export async function requireDelegate(execution: Execution, authorization: Authorization): Promise<void> {
  const { reportDelegation } = await import("../verify/verifyDelegation.ts");
  const report = reportDelegation(requestOf(execution), trustOf(execution), authorization);
  if (report.verdict === "refused") throw new QuoteRefusedError({ requestId: execution.requestId, report });
}

/**
 * Simulates the quote. Runs after the funds check, because an account that cannot pay also fails the simulation.
 *
 * @param paysGas false if others can pay the gas of the user's transactions, as in a batch
 * @throws {@link PreflightFailedError} when the simulation fails
 */
export async function requireSimulated(execution: Execution, paysGas: boolean): Promise<void> {
  const { quote, preflight, limits, signal, requestId } = execution;
  if (preflight === undefined) return;
  const simulation = preflight({ request: requestOf(execution), quote, paysGas, limits, signal });
  const { verdict, findings } = await abortable(simulation, signal, "the preflight");
  if (verdict === "passed") return;
  throw new PreflightFailedError({ requestId, findings: findings.filter(({ severity }) => severity === "error") });
}

async function verify(execution: Execution): Promise<Verification> {
  const { quote, laterSteps, knownRequestIds, limits, clock } = execution;
  const request = requestOf(execution);
  // Lets bundlers split off the verification, which a page needs only to execute a quote.
  const { verifySteps } = await import("../verify/verifiedSteps.ts");
  const trust = trustOf(execution);
  return verifySteps(compact({ request, quote, trust, laterSteps, knownRequestIds, limits, clock }));
}

/** Returns the pinned addresses, or undefined for the default. */
export function trustOf({ trust }: Pick<ExecutionParameters, "trust">) {
  return trust === "service" ? undefined : trust;
}

export function requestOf({ quote, request }: Pick<ExecutionParameters, "quote" | "request">): QuoteRequest {
  if (request !== undefined) return request;
  if ("quotedRequest" in quote) return quote.quotedRequest;
  throw new InvalidInputError({
    field: "request",
    value: undefined,
    reason: "without it, the quote cannot be compared with the request",
    hint: "Pass the unchanged quote of `getQuote`, or its request.",
  });
}
