import type { Hex } from "viem";

import { throwIfAborted } from "../../core/abort.ts";
import { CrosscallError, MalformedDataError } from "../../core/errors.ts";
import { announceDeposit } from "../announceDeposit.ts";
import type { ServiceClient } from "../client.ts";
import type { ExecuteStepsParameters, ExecutionEvent } from "./executeStepsParameters.ts";
import { delegate } from "./delegate.ts";
import { performSignature, requireSigner } from "./performSignature.ts";
import { performTransaction, type SentTransaction, type UsedNonces } from "./performTransaction.ts";
import { originChainIdOf, type PlannedStep, planSteps, requestIdOf } from "./planSteps.ts";
import { type PreparedExecution, requirePerformable } from "./prepareExecution.ts";
import type { StepWallets } from "./wallets.ts";
import { compact } from "../../core/compact.ts";

/** Responses to signature steps may add steps. */
const STEPS_MAX = 32;

export interface PerformActionsParameters
  extends PreparedExecution, Omit<ExecuteStepsParameters, "quote" | "wallets" | "journal"> {
  readonly wallets: StepWallets;
  readonly onEvent: (event: ExecutionEvent) => void;
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
  let stepCount = quote.steps?.length ?? 0;
  const queue: PlannedStep[] = [...parameters.actions];
  for (let action = queue.shift(); action !== undefined; action = queue.shift()) {
    const { stepId } = action;
    throwIfAborted(signal, `step ${stepId}`);
    switch (action.kind) {
      case "transaction": {
        const wallet = await wallets.on(action.chainId, action.from);
        const sent = await performTransaction(wallet, {
          planned: action,
          journal,
          signal,
          nonces,
          ...compact({ clock: parameters.clock }),
          onSent: (txHash) => onEvent({ kind: "sent", stepId, txHash }),
        });
        transactions.push(sent);
        onEvent({ kind: "confirmed", stepId, txHash: sent.txHash, gasUsed: sent.gasUsed });
        if (stepId === "deposit") await announce(client, { requestId, ...sent, signal });
        break;
      }
      case "signature": {
        const steps = await performSignature(client, requireSigner(wallets.signer(originChainId)), {
          planned: action,
          journal,
          signal,
          onSigned: (signature: Hex) => onEvent({ kind: "signed", stepId, signature }),
        });
        const added = planSteps(steps, originChainId, stepCount);
        stepCount += steps.length;
        requireBound(stepCount);
        await requirePerformable(client, added, quote, parameters);
        queue.push(...added);
        break;
      }
      case "exchangeAction":
      case "svmTransaction": {
        const result = await delegate(action, { requestId, signal, journal, callbacks: parameters });
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
