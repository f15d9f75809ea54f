import type { Preflight, QuoteLimits } from "@crosscall/sdk/kit";
import type { ServiceTrust } from "@crosscall/sdk/verify";
import { preflight, type PreflightChain } from "./preflight.ts";
import type { PreflightReport } from "./preflightReport.ts";

/** Options of `createPreflight`; a network of `localnet()` can be passed as it is. */
export interface PreflightOptions {
  /** Chains of both legs. Without an endpoint of the destination chain, the fill is not simulated. */
  readonly chains: readonly PreflightChain[];
  /** Pinned addresses, as given to `executeSteps`; `serviceTrust` by default. */
  readonly trust?: ServiceTrust;
  /** Unless `executeSteps` has its own. */
  readonly limits?: QuoteLimits;
}

/**
 * Creates a preflight: it verifies a quote and simulates both legs on forks, and signs nothing. On the origin chain, the
 * steps are executed from the user's account: exactly the input and gas may leave it, no other allowance may remain, and
 * the deposit is recorded, or the recipient gains the minimum output. A refund must arrive. On the destination chain, the
 * fill must work with every amount that the order permits, and leave nothing behind. Passed to `executeSteps`, it runs
 * before anything is signed.
 *
 * The created function throws an `InvalidInputError` when there is no endpoint of the origin chain, and a `ChainError`
 * when a chain does not respond.
 */
export function createPreflight(options: PreflightOptions): (subject: Preflight) => Promise<PreflightReport> {
  return ({ limits = options.limits, ...subject }) => preflight({ ...options, ...subject, limits });
}
