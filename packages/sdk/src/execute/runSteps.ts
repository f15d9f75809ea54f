import {
  AbortedError,
  compact,
  CrosscallError,
  InvalidStateError,
  MalformedDataError,
  RequestNotFilledError,
  throwIfAborted,
  UnsupportedStepError,
} from "@crosscall/protocol/core";
import {
  isPayment,
  originChainIdOf,
  type PlannedExchangeAction,
  type PlannedSignature,
  type PlannedStep,
  type PlannedSvmTransaction,
  type PlannedTransaction,
  planSteps,
  requestIdOf,
} from "@crosscall/protocol/quote/rules";
import type { IntentStatus } from "@crosscall/protocol/request";
import { announceDeposit } from "../client/postEndpoints.ts";
import type { ServiceClient } from "../client/client.ts";
import { watchRequest } from "../client/watchRequest/watchRequest.ts";
import { confirmFill, markDestination, openDestination } from "./confirmFill.ts";
import type { ExecutionParameters, ExecutionResult, SentTransaction } from "./executeStepsParameters.ts";
import {
  type Execution,
  openRun,
  orderIdOf,
  type PreparedExecution,
  readAfterSent,
  requireSameEntry,
} from "./execution.ts";
import { createMemoryJournal, type ExecutionJournal } from "./journal.ts";
import { LiveAuthorizations } from "./liveAuthorizations.ts";
import { withinPrompt } from "./node.ts";
import { performSignature } from "./performSignature.ts";
import { performTransaction } from "./performTransaction.ts";
import { latestQuote, prepareExecution, requirePerformable } from "./prepareExecution.ts";
import { RequestJournal } from "./requestJournal.ts";
import { requireReadyToPay } from "./requireFunds.ts";
import { requestOf, requireVerified } from "./requireVerified.ts";

/** Maximum number of steps. Responses to signature steps can add steps. */
const STEPS_MAX = 32;

type OwnParameters = ExecutionParameters & { readonly journal: ExecutionJournal };

/**
 * Executes steps; see `executeSteps`.
 * @param parameters copy of the caller's parameters
 * @param original the caller's quote
 */
export async function runSteps(
  service: ServiceClient,
  parameters: ExecutionParameters,
  original: object,
): Promise<ExecutionResult> {
  const { quote, request, trust, journal = journalOf(original) } = parameters;
  // A replacement quote from an earlier run must be for the same request.
  const asked = trust === "service" ? request : requestOf(compact({ quote, request }));
  const own: OwnParameters = { ...parameters, ...compact({ request: asked }), journal };
  try {
    return await executeOnce(service, own);
  } catch (error) {
    throw await describePayment(error, own);
  }
}

const journals = new WeakMap<object, ExecutionJournal>();

/**
 * Returns a journal for callers without a journal, so that a second execution of the same quote object knows the
 * started actions.
 */
function journalOf(quote: object): ExecutionJournal {
  const journal = journals.get(quote) ?? createMemoryJournal();
  journals.set(quote, journal);
  return journal;
}

/** Ids of the requests that this process executes. */
const running = new Set<string>();

/** Runs once at a time, because concurrent runs would not see each other's payment, for example after a double click. */
async function executeOnce(service: ServiceClient, parameters: OwnParameters): Promise<ExecutionResult> {
  throwIfAborted(parameters.signal, "executing the steps");
  const requestId = requestIdOf(parameters.quote);
  const key = requestId.toLowerCase();
  if (running.has(key)) {
    throw new InvalidStateError({
      message: `request ${requestId} is already being executed`,
      hint: "Wait for the earlier call of executeSteps, or abort it.",
    });
  }
  running.add(key);
  try {
    return await execute(service, parameters);
  } finally {
    running.delete(key);
  }
}

async function execute(service: ServiceClient, parameters: OwnParameters): Promise<ExecutionResult> {
  const destination = await openDestination(parameters);
  const execution = await prepareExecution(await openRun(service, parameters));
  const { requestId, clock } = execution;
  if (destination !== undefined) await markDestination(destination, execution);
  const transactions = await performSteps(execution);
  const startedAt = clock.now();
  const status = await follow(execution);
  if (destination !== undefined) {
    const ownHashes = transactions.map(({ txHash }) => txHash);
    const timeoutMs = startedAt + execution.timeoutMs - clock.now();
    await confirmFill(destination, execution, { status, ownHashes, timeoutMs });
  }
  await settle(execution);
  return { requestId, transactions, status };
}

/** Performs the steps in order, including steps added by responses. Returns the included transactions. */
async function performSteps(execution: PreparedExecution): Promise<SentTransaction[]> {
  const { journal, actions, signal } = execution;
  const transactions: SentTransaction[] = [];
  await journal.recordSteps(actions, orderIdOf(execution.quote));
  const isMade = await performBatch(execution, transactions);
  const queue = actions.slice(isMade ? execution.batch?.calls.length : 0);
  for (let action = queue.shift(); action !== undefined; action = queue.shift()) {
    const { stepId, kind } = action;
    throwIfAborted(signal, `step ${stepId}`);
    switch (action.kind) {
      case "transaction": {
        const isNeeded = isPayment(action) || !(await journal.hasBegun(queue.filter(isPayment)));
        const sent = await sendTransaction(execution, action, isNeeded);
        if (sent !== undefined) transactions.push(sent);
        break;
      }
      case "signature":
        queue.push(...(await signMessage(execution, action)));
        break;
      case "batch":
        throw new UnsupportedStepError({ stepId, kind });
      case "exchangeAction":
      case "svmTransaction":
        await delegate(execution, action);
        break;
    }
  }
  return transactions;
}

/** @returns whether the calls of the batch were made */
async function performBatch(execution: PreparedExecution, transactions: SentTransaction[]): Promise<boolean> {
  const { batch, wallets, onEvent } = execution;
  if (batch === undefined) return false;
  const { calls } = batch;
  const stepIds = calls.map(({ stepId }) => stepId);
  const wallet = await wallets.on(calls[0].chainId, calls[0].from);
  if (batch.kind === "gasless") {
    const { performGasless } = await import("./performGasless.ts");
    await performGasless(execution, wallet, calls);
    return true;
  }
  const { performBundle } = await import("./performBundle.ts");
  const sent = await performBundle(execution, wallet, calls);
  if (sent === "unsupported") return false;
  if (sent === undefined) return true;
  const { txHash, gasUsed } = sent;
  for (const stepId of stepIds) {
    onEvent({ kind: "sent", stepId, txHash });
    onEvent({ kind: "confirmed", stepId, txHash, gasUsed });
  }
  transactions.push(sent);
  if (stepIds.includes("deposit")) await announce(execution, sent);
  return true;
}

async function sendTransaction(
  execution: PreparedExecution,
  planned: PlannedTransaction,
  isNeeded: boolean,
): Promise<SentTransaction | undefined> {
  const { wallets, journal, quote, limits: gasLimits, signal, onEvent } = execution;
  const { stepId } = planned;
  const wallet = await wallets.on(planned.chainId, planned.from);
  if (isPayment(planned) && !(await journal.hasBegun([planned]))) {
    await readAfterSent(execution, wallet.client, () =>
      requireReadyToPay(wallet, planned, quote, { gasLimits, signal }),
    );
  }
  const sent = await performTransaction({ execution, wallet, planned, isNeeded });
  if (sent === undefined) return undefined;
  onEvent({ kind: "confirmed", stepId, txHash: sent.txHash, gasUsed: sent.gasUsed });
  if (stepId === "deposit") await announce(execution, sent);
  return sent;
}

/** @returns steps added by the response */
async function signMessage(execution: PreparedExecution, planned: PlannedSignature): Promise<readonly PlannedStep[]> {
  const { quote, laterSteps } = execution;
  const steps = await performSignature(execution, planned);
  const firstIndex = (quote.steps?.length ?? 0) + laterSteps.length;
  const added = planSteps(steps, execution.originChainId, firstIndex);
  if (firstIndex + steps.length > STEPS_MAX) {
    throw new MalformedDataError({
      what: "the response of a signature step",
      path: "steps",
      reason: `the request has more than ${STEPS_MAX} steps`,
    });
  }
  laterSteps.push(...steps);
  if (execution.trust !== "service") await requireVerified(execution);
  await requirePerformable(execution, added);
  await execution.journal.recordLaterSteps(added);
  return added;
}

/** Calls the callback of a step, unless an earlier run recorded its result. */
async function delegate(
  execution: PreparedExecution,
  planned: PlannedExchangeAction | PlannedSvmTransaction,
): Promise<void> {
  const {
    requestId,
    originChainId: chainId,
    quote,
    request,
    journal,
    payAgain,
    signal,
    timeoutMs,
    onEvent,
  } = execution;
  // A copy, so that the callback gets what is verified although a listener changes the quote.
  const step = structuredClone(planned);
  const { stepId, position } = step;
  const earlier = await journal.delegated(position);
  let result = earlier?.result;
  if (earlier?.isDone !== true) {
    const verify = async (changed?: Execution["quote"]): Promise<void> =>
      void (await (changed === undefined || execution.trust === "service"
        ? execution.verify(step)
        : requireVerified({ ...execution, quote: changed })));
    // A recorded action may have spent the funds, so its simulation could fail.
    if (earlier?.recorded === undefined) await verify();
    requireSameEntry(await journal.delegated(position), earlier, stepId);
    if (earlier === undefined) await journal.setStep(position, { isDone: false });
    const known = { requestId, stepId, payAgain, mayHaveRun: earlier !== undefined, recorded: earlier?.recorded };
    result = await withinPrompt(step.kind, { signal, promptTimeoutMs: timeoutMs }, async (limited) => {
      const record = async (recorded: string): Promise<void> => {
        // A later run may already write to the journal.
        throwIfAborted(limited, `step ${stepId}`);
        await journal.setStep(position, { isDone: false, recorded });
      };
      const details = { ...known, record, verify, signal: limited };
      return step.kind === "exchangeAction"
        ? execution.onExchangeAction?.({ ...details, action: step.action })
        : execution.onSvmTransaction?.({ ...details, chainId, data: step.data, quote, request });
    });
    await journal.setStep(position, compact({ isDone: true, result }));
  }
  onEvent({ kind: "performed", stepId, result });
  if (planned.kind === "svmTransaction" && result !== undefined) await announce(execution, { chainId, txHash: result });
}

/** Announces a deposit. Ignores failures, because the service also finds deposits by itself. */
async function announce(
  { service, requestId, signal }: Execution,
  { chainId, txHash }: { readonly chainId: number; readonly txHash: string },
): Promise<void> {
  try {
    await announceDeposit(service, { chainId, txHash, requestId, signal });
  } catch (error) {
    if (!(error instanceof CrosscallError) || error.code === "ABORTED") throw error;
  }
}

/** Signatures for a successful request cannot be used again. */
async function settle({ store, wallets, requestId, originChainId: chainId }: Execution): Promise<void> {
  const account = wallets.signer(chainId)?.address;
  if (account !== undefined) await new LiveAuthorizations(store, { chainId, account }).settle(requestId);
}

/** Adds the started payment to an abort error, because an abort stops the wait, not the payment. */
async function describePayment(error: unknown, { quote, journal, signal }: OwnParameters): Promise<unknown> {
  // Keeps the caller's own error.
  if (!(error instanceof AbortedError) || error === signal?.reason) return error;
  const { latest } = await latestQuote(quote, journal);
  const requestId = requestIdOf(latest);
  const payments = planSteps(latest.steps, originChainIdOf(latest)).filter(isPayment);
  const [begun] = await new RequestJournal(journal, requestId).begun(payments);
  return begun === undefined ? error : error.withPayment({ requestId, txHash: begun.txHash });
}

async function follow(execution: Execution): Promise<IntentStatus> {
  const { requestId, source, refundGraceMs, pollIntervalMs, timeoutMs, clock, signal } = execution;
  const { outcome, status } = await watchRequest(execution.service, {
    ...compact({ source, refundGraceMs, pollIntervalMs, timeoutMs, clock }),
    requestId,
    signal,
    onStatus: (status) => execution.onEvent({ kind: "status", status }),
  });
  if (outcome === "success") return status;
  throw new RequestNotFilledError({ requestId, status: outcome, details: status.details ?? undefined });
}
