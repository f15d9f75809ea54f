import type { Preflight } from "@crosscall/sdk/internal/client/executeSteps/requireVerified";
import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import { requestIdOf } from "@crosscall/sdk/internal/protocol/quote/planSteps";
import { serviceTrust, type ServiceTrust } from "@crosscall/sdk/internal/verify/trust";
import { PreflightFailedError } from "./preflightFailedError.ts";
import { simulateOrigin } from "./simulateOrigin.ts";

/** Options of `createPreflight`. */
export interface PreflightOptions {
  /** JSON-RPC endpoint of each origin chain, by chain id. They are only read, and need no archive. */
  readonly rpcUrls: Readonly<Record<number, string>>;
  /** Pinned addresses, as given to `executeSteps`; `serviceTrust` by default. */
  readonly trust?: ServiceTrust;
}

/**
 * Creates a preflight for `executeSteps`. It executes the steps of a quote on a fork of the origin chain, from the
 * user's account, before anything is signed. Exactly the input and gas may leave the user, no other allowance may
 * remain, and the deposit is recorded, or the recipient gains the minimum output.
 *
 * @throws {@link PreflightFailedError} when the steps do more than was asked for, or revert
 * @throws {@link InvalidInputError} when there is no endpoint for the chain
 */
export function createPreflight({
  rpcUrls,
  trust = serviceTrust,
}: PreflightOptions): (preflight: Preflight) => Promise<void> {
  return async ({ request, quote, signal }) => {
    const rpcUrl = rpcUrls[request.originChainId];
    if (rpcUrl === undefined) {
      throw new InvalidInputError({
        field: `rpcUrls[${request.originChainId}]`,
        value: undefined,
        reason: "the quote is paid on this chain",
        hint: "Pass a JSON-RPC endpoint of the chain.",
      });
    }
    const findings = await simulateOrigin({ request, quote, rpcUrl, trust, signal });
    if (findings.length > 0) throw new PreflightFailedError({ requestId: requestIdOf(quote), findings });
  };
}
