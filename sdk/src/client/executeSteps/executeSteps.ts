import { throwIfAborted } from "../../core/abort.ts";
import { systemClock } from "../../core/clock.ts";
import { compact } from "../../core/compact.ts";
import { AbortedError, CrosscallError, MalformedDataError, RequestNotFilledError } from "../../core/errors.ts";
import { isPayment, originChainIdOf, planSteps, requestIdOf } from "../../protocol/quote/planSteps.ts";
import type { Quote } from "../../protocol/quote/quote.ts";
import type { ReceivedQuote } from "../../protocol/quote/quoteFreshness.ts";
import type { QuoteRequest } from "../../protocol/quote/quoteRequest.ts";
import type { IntentStatus } from "../../protocol/request/intentStatus.ts";
import type { ServiceClient } from "../client.ts";
import { TIMEOUT_MS } from "../watchRequest/requestStatuses.ts";
import { watchRequest, type WatchRequestParameters } from "../watchRequest/watchRequest.ts";
import { boundClient, type WaitLimits } from "./boundClient.ts";
import { confirmFill, markDestination, requireDestination } from "./confirmFill.ts";
import type { ExecuteStepsParameters } from "./executeStepsParameters.ts";
import { createMemoryJournal, type ExecutionJournal, RequestJournal } from "./journal.ts";
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
 * Executes the steps of a quote: sends transactions and waits for them, at once where the wallet can, signs and posts signatures, delegates exchange
 * and SVM actions to callbacks, announces the deposit, and follows the request to its end. `verifyQuote`, wallets, chains,
 * accounts, balances and allowances are checked before the first step.
 *
 * It may be called again with the same quote, after a crash too: what the service knows, what is on the chain and what
 * the journal says was begun is not done a second time. A wallet is prompted for a second payment only if the first can no longer be
 * made, or with `payAgain`.
 *
 * @throws {@link QuoteRefusedError} when the quote does not do what was asked for, or needs a simulation
 * @throws {@link PreflightFailedError} when `preflight` finds that the steps do more than you requested, or fail
 * @throws {@link UnsupportedStepError} when a step is of a kind that is not performed, or its callback is missing
 * @throws {@link MalformedDataError} when a step lacks what it needs
 * @throws {@link InvalidInputError} when a wallet is missing, or the quote was asked for another account
 * @throws {@link WrongChainError} when a wallet is on another chain and cannot be switched
 * @throws {@link InsufficientBalanceError} when the account cannot pay the amount, or value and gas
 * @throws {@link InsufficientAllowanceError} when the deposit needs an allowance that no step gives
 * @throws {@link AllowanceResetError} when the token does not let the approval replace an earlier allowance
 * @throws {@link GasCostError} when gas costs more than `limits` and the payment's worth allow
 * @throws {@link StaleQuoteError} when the quote is too old; {@link QuoteWorsenedError} when a fresh one is worse
 * @throws {@link UserRejectedError} when the user declines a step in the wallet
 * @throws {@link TransactionFailedError} when a transaction is refused, reverts or is not seen included
 * @throws {@link BundleFailedError} when a wallet takes several calls at once, and they are not all made
 * @throws {@link PaymentUnresolvedError} when an earlier payment may have been made, or can still be made
 * @throws {@link TransactionReplacedError} when another transaction took the nonce of a step's
 * @throws {@link InvalidStateError} when the journal was written for other steps
 * @throws {@link RequestNotFilledError} when the request ends in failure or refund, or `destinationClient` does not
 *   confirm its success
 * @throws {@link ChainError} when a node does not say what is on its chain
 * @throws {@link TimedOutError} when the request does not end in time
 * @throws {@link AbortedError} when the signal fires; what was sent stays sent, and the error names it
 */
export async function executeSteps(
  client: ServiceClient,
  parameters: ExecuteStepsParameters,
): Promise<ExecutionResult> {
  const { journal = journalOf(parameters.quote) } = parameters;
  const own = { ...parameters, ...copyTerms(parameters), journal };
  try {
    return await execute(client, own);
  } catch (error) {
    throw await describePayment(error, own);
  }
}

/**
 * What is executed stays what it is at the start, whatever the caller or a listener does with its objects. A quote that an earlier run
 * took as a replacement must answer the same request.
 */
function copyTerms({ quote, request, limits, trust }: ExecuteStepsParameters) {
  try {
    const copy = structuredClone({ quote, request, limits });
    const asked = trust === "service" ? copy.request : requestOf(compact(copy));
    return { quote: copy.quote, ...compact({ request: asked, limits: copy.limits }) };
  } catch (cause) {
    if (cause instanceof CrosscallError) throw cause;
    throw new MalformedDataError({ what: "the quote", path: "", reason: "it is not JSON", cause });
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
  parameters: ExecuteStepsParameters & { readonly journal: ExecutionJournal },
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
  { quote, journal, signal }: Pick<ExecuteStepsParameters, "quote" | "signal"> & { readonly journal: ExecutionJournal },
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
  { signal, onEvent, ...parameters }: ExecuteStepsParameters,
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
