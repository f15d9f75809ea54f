import { rejectErrors } from "../calls/check/checkCalls.ts";
import type { CallFacts, CheckedContracts } from "../calls/check/parameters.ts";
import type { CallFinding, FindingCode } from "../calls/check/rules.ts";
import { parseServiceAddress } from "@crosscall/protocol/chains";
import { compact } from "@crosscall/protocol/core";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import type { CallChecker, ServiceClient } from "./client.ts";
import { listQuotedChains } from "./listChains.ts";

export interface QuoteChecks {
  /** Contracts on the destination chain. By default, only the service's router. */
  readonly contracts?: Partial<CheckedContracts>;
  /** Facts about the chain, from `readCallFacts`. */
  readonly facts?: CallFacts;
  /** Errors to accept. Defaults to none. */
  readonly accepts?: readonly FindingCode[];
  /** Called with all findings, before errors stop the quote. */
  readonly onFindings?: (findings: readonly CallFinding[]) => void;
}

/** Checks the calls of a request. Without a known router, checks nothing and leaves the decision to the service. */
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
  rejectErrors(findings, accepts);
}

async function findRouter(client: ServiceClient, chainId: number, signal: AbortSignal | undefined) {
  const chains = await listQuotedChains(client, signal);
  const contracts = chains.find(({ id }) => id === chainId)?.contracts;
  // The service's default router, or else router 3.0.
  const router = contracts?.erc20Router ?? contracts?.v3?.erc20Router;
  return router == null ? undefined : parseServiceAddress(router, "contracts.erc20Router");
}
