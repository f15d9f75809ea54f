import type { CallFinding } from "../calls/check/finding.ts";
import type { CallFacts, CheckedContracts } from "../calls/check/parameters.ts";
import { refuseErrors } from "../calls/check/refuseErrors.ts";
import type { FindingCode } from "../calls/check/rules.ts";
import { parseServiceAddress } from "../chains/address.ts";
import { compact } from "../core/compact.ts";
import type { QuoteRequest } from "../protocol/quote/quoteRequest.ts";
import type { CallChecker } from "./callChecker.ts";
import type { ServiceClient } from "./client.ts";
import { getChains } from "./getChains.ts";

/** What a check before a quote knows, and what becomes of its findings. */
export interface QuoteChecks {
  /** The contracts of the destination chain; the service is asked for the router where none is given. */
  readonly contracts?: Partial<CheckedContracts>;
  /** What the chain says: made by `readCallFacts`. */
  readonly facts?: CallFacts;
  /** Errors that the calls may have all the same; none when left out. */
  readonly accepts?: readonly FindingCode[];
  /** Told all findings, before those that are errors end the quote. */
  readonly onFindings?: (findings: readonly CallFinding[]) => void;
}

/**
 * Checks the calls of a request. Without a router that the service or the caller names there is nothing to check by, and
 * the service's own answer stands.
 *
 * @throws {@link CallsRefusedError} when there are errors among the findings
 */
export async function checkQuotedCalls(
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
