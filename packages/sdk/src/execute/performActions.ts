import type { Hex } from "viem";

import {
  type Clock,
  compact,
  CrosscallError,
  MalformedDataError,
  throwIfAborted,
  UnsupportedStepError,
} from "@crosscall/protocol/core";
import { isPayment, originChainIdOf, type PlannedStep, planSteps, requestIdOf } from "@crosscall/protocol/quote/rules";
import type { Step } from "@crosscall/protocol/quote";
import { announceDeposit } from "../client/announceDeposit.ts";
import type { ServiceClient } from "../client/client.ts";
import { POLL_INTERVAL_MS } from "../client/watchRequest/requestStatuses.ts";
import { delegate } from "./delegate.ts";
import type { ExecutionParameters, ExecutionEvent } from "./executeStepsParameters.ts";
import type { LiveAuthorization, LiveAuthorizations } from "./liveAuthorizations.ts";
import { performSignature } from "./performSignature.ts";
import { performTransaction, type SentTransaction, type UsedNonces } from "./performTransaction.ts";
import { orderIdOf, type PreparedExecution, requirePerformable } from "./prepareExecution.ts";
import { requireReadyToPay } from "./requireFunds.ts";
import { createVerifier, requireVerified, type VerifyStep } from "./requireVerified.ts";
import type { StepWallets } from "./wallets.ts";

/** Responses to signature steps may add steps. */
const STEPS_MAX = 32;

export interface PerformActionsParameters
  extends PreparedExecution, Omit<ExecutionParameters, "quote" | "wallets" | "journal" | "timeoutMs"> {
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
export async function performActions(
  client: ServiceClient,
  parameters: PerformActionsParameters,
): Promise<SentTransaction[]> {
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
