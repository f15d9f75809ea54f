import type { Hex } from "viem";

import { throwIfAborted } from "../../core/abort.ts";
import { type Clock, systemClock } from "../../core/clock.ts";
import { compact } from "../../core/compact.ts";
import {
  AbortedError,
  CrosscallError,
  MalformedDataError,
  RequestNotFilledError,
  UnsupportedStepError,
} from "../../core/errors.ts";
import {
  isPayment,
  originChainIdOf,
  type PlannedStep,
  planSteps,
  requestIdOf,
} from "../../protocol/quote/planSteps.ts";
import type { Quote } from "../../protocol/quote/quote.ts";
import type { ReceivedQuote } from "../../protocol/quote/quoteFreshness.ts";
import type { QuoteRequest } from "../../protocol/quote/quoteRequest.ts";
import type { Step } from "../../protocol/quote/step.ts";
import type { IntentStatus } from "../../protocol/request/intentStatus.ts";
import { announceDeposit } from "../announceDeposit.ts";
import type { ServiceClient } from "../client.ts";
import { POLL_INTERVAL_MS, TIMEOUT_MS } from "../watchRequest/requestStatuses.ts";
import { watchRequest, type WatchRequestParameters } from "../watchRequest/watchRequest.ts";
import { confirmFill, markDestination, requireDestination } from "./confirmFill.ts";
import { delegate } from "./delegate.ts";
import type { ExecuteStepsParameters, ExecutionEvent } from "./executeStepsParameters.ts";
import { createMemoryJournal, type ExecutionJournal, RequestJournal } from "./journal.ts";
import { type LiveAuthorization, LiveAuthorizations } from "./liveAuthorizations.ts";
import { performSignature } from "./performSignature.ts";
import { performTransaction, type SentTransaction, type UsedNonces } from "./performTransaction.ts";
import {
  latestQuote,
  orderIdOf,
  type PreparedExecution,
  prepareExecution,
  requirePerformable,
} from "./prepareExecution.ts";
import { requireReadyToPay } from "./requireFunds.ts";
import { createVerifier, requestOf, requireVerified, type VerifyStep } from "./requireVerified.ts";
import { openWallets, type StepWallets } from "./wallets.ts";

/** Responses to signature steps may add steps. */
const STEPS_MAX = 32;

interface PerformActionsParameters
  extends PreparedExecution, Omit<ExecuteStepsParameters, "quote" | "wallets" | "journal" | "timeoutMs"> {
  readonly wallets: StepWallets;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly authorizations: (account: Pick<LiveAuthorization, "chainId" | "account">) => LiveAuthorizations;
  readonly onEvent: (event: ExecutionEvent) => void;
}

/** What every kind of action takes. */
interface ActionContext extends PerformActionsParameters {
  readonly service: ServiceClient;
  readonly requestId: string;
  readonly originChainId: number;
  readonly verify: VerifyStep;
  readonly payAgain: boolean;
  readonly signal: AbortSignal | undefined;
  readonly pollIntervalMs: number;
}

/** In order, including steps that responses add. */
async function performActions(client: ServiceClient, parameters: PerformActionsParameters): Promise<SentTransaction[]> {
  const { quote, wallets, journal, signal, onEvent } = parameters;
  const requestId = requestIdOf(quote);
  const originChainId = originChainIdOf(quote);
  const transactions: SentTransaction[] = [];
  const nonces: UsedNonces = new Map();
  const laterSteps: Step[] = [];
  const context: ActionContext = {
    ...parameters,
    service: client,
    requestId,
    originChainId,
    verify: createVerifier({ ...parameters, laterSteps, paysGas: parameters.batch === undefined }),
    payAgain: parameters.payAgain === true,
    signal,
    pollIntervalMs: parameters.pollIntervalMs ?? POLL_INTERVAL_MS,
  };
  let stepCount = quote.steps?.length ?? 0;
  await journal.recordSteps(parameters.actions, orderIdOf(quote));
  const isAtOnce = await performBatch(context, transactions);
  const queue: PlannedStep[] = parameters.actions.slice(isAtOnce ? parameters.batch?.calls.length : 0);
  for (let action = queue.shift(); action !== undefined; action = queue.shift()) {
    const { stepId } = action;
    throwIfAborted(signal, `step ${stepId}`);
    const isNeeded = isPayment(action) || !(await journal.hasBegun(queue.filter(isPayment)));
    switch (action.kind) {
      case "transaction": {
        const wallet = await wallets.on(action.chainId, action.from);
        if (isPayment(action) && !(await journal.hasBegun([action]))) {
          await requireReadyToPay(wallet, action, quote, { gasLimits: parameters.limits, signal });
        }
        const sent = await performTransaction(wallet, {
          ...context,
          planned: action,
          isNeeded,
          nonces,
          onSent: (txHash, isResumed) => onEvent({ kind: "sent", stepId, txHash, ...(isResumed ? { isResumed } : {}) }),
        });
        if (sent === undefined) break;
        transactions.push(sent);
        onEvent({ kind: "confirmed", stepId, txHash: sent.txHash, gasUsed: sent.gasUsed });
        if (stepId === "deposit") await announce(client, { requestId, ...sent, signal });
        break;
      }
      case "signature": {
        const steps = await performSignature(client, {
          ...context,
          planned: action,
          onSigned: (signature: Hex) => onEvent({ kind: "signed", stepId, signature }),
        });
        const added = planSteps(steps, originChainId, stepCount);
        stepCount += steps.length;
        requireBound(stepCount);
        laterSteps.push(...steps);
        if (parameters.trust !== "service") await requireVerified({ ...parameters, quote, laterSteps });
        await requirePerformable(client, added, quote, parameters);
        await journal.recordLaterSteps(added);
        queue.push(...added);
        break;
      }
      case "batch":
        throw new UnsupportedStepError({ stepId, kind: action.kind });
      case "exchangeAction":
      case "svmTransaction": {
        const result = await delegate(action, { ...context, callbacks: parameters });
        onEvent({ kind: "performed", stepId, result });
        if (action.kind === "svmTransaction" && result !== undefined) {
          await announce(client, { requestId, chainId: originChainId, txHash: result, signal });
        }
        break;
      }
    }
  }
  return transactions;
}

/** @returns whether the calls of the batch were made */
async function performBatch(context: ActionContext, transactions: SentTransaction[]): Promise<boolean> {
  const { service, requestId, batch, wallets, signal, onEvent } = context;
  if (batch === undefined) return false;
  const { calls } = batch;
  const stepIds = calls.map(({ stepId }) => stepId);
  const wallet = await wallets.on(calls[0].chainId, calls[0].from);
  throwIfAborted(signal, `steps ${stepIds.join(" and ")}`);
  if (batch.kind === "gasless") {
    const { performGasless } = await import("./performGasless.ts");
    const onSigned = (signature: Hex): void => onEvent({ kind: "signed", stepId: stepIds.at(-1) ?? "", signature });
    await performGasless(service, wallet, { ...context, calls, onSigned });
    return true;
  }
  const { performBundle } = await import("./performBundle.ts");
  const onBundled = (bundleId: string): void => onEvent({ kind: "bundled", stepIds, bundleId });
  const sent = await performBundle(wallet, { ...context, calls, onBundled });
  if (sent === "unsupported") return false;
  if (sent === undefined) return true;
  const { txHash, gasUsed } = sent;
  for (const stepId of stepIds) {
    onEvent({ kind: "sent", stepId, txHash });
    onEvent({ kind: "confirmed", stepId, txHash, gasUsed });
  }
  transactions.push(sent);
  if (stepIds.includes("deposit")) await announce(service, { requestId, ...sent, signal });
  return true;
}

function requireBound(stepCount: number): void {
  if (stepCount <= STEPS_MAX) return;
  throw new MalformedDataError({
    what: "the response of a signature step",
    path: "steps",
    reason: `the request has more than ${STEPS_MAX} steps by now`,
  });
}

/** Best effort: the service also finds deposits by itself. */
async function announce(
  client: ServiceClient,
  { chainId, txHash, requestId, signal }: Parameters<typeof announceDeposit>[1],
): Promise<void> {
  try {
    await announceDeposit(client, { chainId, txHash, ...compact({ requestId }), signal });
  } catch (error) {
    if (!(error instanceof CrosscallError) || error.code === "ABORTED") throw error;
  }
}

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
  const { destinationClient } = parameters;
  const request = (): QuoteRequest => requestOf(parameters);
  await requireDestination(destinationClient, request, parameters.trust);
  const wallets = await openWallets(parameters.wallet, parameters.wallets, { signal, promptTimeoutMs: timeoutMs });
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
