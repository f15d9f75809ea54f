import { AbortedError, compact, RequestNotFilledError, systemClock, throwIfAborted } from "@crosscall/protocol/core";
import {
  isPayment,
  originChainIdOf,
  planSteps,
  type QuoteRequest,
  type ReceivedQuote,
  requestIdOf,
} from "@crosscall/protocol/quote/rules";
import type { Quote } from "@crosscall/protocol/quote";
import type { IntentStatus } from "@crosscall/protocol/request";
import type { ServiceClient } from "../client/client.ts";
import { TIMEOUT_MS } from "../client/watchRequest/requestStatuses.ts";
import { watchRequest, type WatchRequestParameters } from "../client/watchRequest/watchRequest.ts";
import { boundClient, type WaitLimits } from "./boundClient.ts";
import { confirmFill, markDestination, requireDestination } from "./confirmFill.ts";
import type { ExecutionParameters } from "./executeStepsParameters.ts";
import { createMemoryJournal, type ExecutionJournal } from "./journal.ts";
import { RequestJournal } from "./requestJournal.ts";
import { LiveAuthorizations } from "./liveAuthorizations.ts";
import { performActions } from "./performActions.ts";
import type { SentTransaction } from "./performTransaction.ts";
import { latestQuote, prepareExecution } from "./prepareExecution.ts";
import { requestOf } from "./requireVerified.ts";
import { openWallets, type StepWallets } from "./wallets.ts";

/** Result of executing the steps. */
export interface ExecutionResult {
  /** Of the executed quote, which may have replaced the given one. */
  readonly requestId: string;
  /** Included transactions of this run, in order. */
  readonly transactions: readonly SentTransaction[];
  /** The final status: `success`. */
  readonly status: IntentStatus;
}

/**
 * Executes steps: see `executeSteps`.
 *
 * @param parameters that nothing changes from now on
 * @param original the caller's quote
 */
export async function runSteps(
  client: ServiceClient,
  parameters: ExecutionParameters,
  original: object,
): Promise<ExecutionResult> {
  const { quote, request, trust, journal = journalOf(original) } = parameters;
  // A quote that an earlier run took as a replacement must answer the same request.
  const asked = trust === "service" ? request : requestOf(compact({ quote, request }));
  const own = { ...parameters, ...compact({ request: asked }), journal };
  try {
    return await execute(client, own);
  } catch (error) {
    throw await describePayment(error, own);
  }
}

const journals = new WeakMap<object, ExecutionJournal>();

/** Of a caller without a journal: a second execution of the same object knows what the first one began. */
function journalOf(quote: object): ExecutionJournal {
  const journal = journals.get(quote) ?? createMemoryJournal();
  journals.set(quote, journal);
  return journal;
}

async function execute(
  client: ServiceClient,
  parameters: ExecutionParameters & { readonly journal: ExecutionJournal },
): Promise<ExecutionResult> {
  const { journal, signal, onEvent = () => undefined, clock = systemClock, timeoutMs = TIMEOUT_MS } = parameters;
  throwIfAborted(signal, "executing the steps");
  const limits: WaitLimits = { signal, promptTimeoutMs: timeoutMs };
  const destinationClient =
    parameters.destinationClient === undefined ? undefined : boundClient(parameters.destinationClient, limits);
  const request = (): QuoteRequest => requestOf(parameters);
  await requireDestination(destinationClient, request, parameters.trust);
  const wallets = await openWallets(parameters.wallet, parameters.wallets, limits);
  const prepared = await prepareExecution(client, { ...parameters, wallets, journal, clock, onEvent });
  if (destinationClient !== undefined) {
    await markDestination(destinationClient, request().destinationChainId, prepared.journal);
  }
  const transactions = await performActions(client, {
    ...parameters,
    ...prepared,
    wallets,
    clock,
    timeoutMs,
    authorizations: (account) => new LiveAuthorizations(journal, account),
    onEvent,
  });
  const requestId = requestIdOf(prepared.quote);
  const startedAt = clock.now();
  const status = await follow(client, requestId, parameters);
  if (destinationClient !== undefined) {
    await confirmFill({
      client: destinationClient,
      request: request(),
      quote: prepared.quote,
      trust: parameters.trust === "service" ? undefined : parameters.trust,
      status,
      journal: prepared.journal,
      quotedAtMs: (prepared.quote as Partial<ReceivedQuote>).quotedAtMs,
      ownHashes: transactions.map(({ txHash }) => txHash),
      clock,
      timeoutMs: startedAt + timeoutMs - clock.now(),
      signal,
    });
  }
  await settle(journal, prepared.quote, wallets);
  return { requestId, transactions, status };
}

/** What was signed for a request that succeeded is used for nothing else. */
async function settle(journal: ExecutionJournal, quote: Quote, wallets: StepWallets): Promise<void> {
  const chainId = originChainIdOf(quote);
  const account = wallets.signer(chainId)?.address;
  if (account === undefined) return;
  const authorizations = new LiveAuthorizations(journal, { chainId, account });
  await authorizations.settle(requestIdOf(quote));
}

/** An abort stops the wait, not the payment: the error says what was begun. */
async function describePayment(
  error: unknown,
  { quote, journal, signal }: Pick<ExecutionParameters, "quote" | "signal"> & { readonly journal: ExecutionJournal },
): Promise<unknown> {
  // The caller's own error stays.
  if (!(error instanceof AbortedError) || error === signal?.reason) return error;
  const { latest } = await latestQuote({ quote, journal });
  const requestId = requestIdOf(latest);
  const payments = planSteps(latest.steps, originChainIdOf(latest)).filter(isPayment);
  const begun = await new RequestJournal(journal, requestId).findBegun(payments);
  if (begun === undefined) return error;
  return error.withPayment({ requestId, txHash: begun.txHash });
}

async function follow(
  client: ServiceClient,
  requestId: string,
  { signal, onEvent, ...parameters }: ExecutionParameters,
): Promise<IntentStatus> {
  const options: Partial<WatchRequestParameters> = compact({
    source: parameters.source,
    refundGraceMs: parameters.refundGraceMs,
    pollIntervalMs: parameters.pollIntervalMs,
    timeoutMs: parameters.timeoutMs,
    clock: parameters.clock,
  });
  const { outcome, status } = await watchRequest(client, {
    ...options,
    requestId,
    signal,
    onStatus: (status) => onEvent?.({ kind: "status", status }),
  });
  if (outcome === "success") return status;
  throw new RequestNotFilledError({ requestId, status: outcome, details: status.details ?? undefined });
}
