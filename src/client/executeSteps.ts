import type { Account, Chain, Hex, Transport, WalletClient } from "viem";

import { parseEvmAddress } from "../chains/address.ts";
import { parseAmount } from "../core/amounts.ts";
import { throwIfAborted } from "../core/abort.ts";
import { CrosscallError, MalformedDataError, UnsupportedStepError } from "../core/errors.ts";
import type { IntentStatus } from "../protocol/intentStatus.ts";
import type { Quote } from "../protocol/quote.ts";
import { parseData } from "../protocol/parse.ts";
import { type Step, type StepItem, TransactionDataSchema } from "../protocol/step.ts";
import { announceDeposit } from "./announceDeposit.ts";
import type { ServiceClient } from "./client.ts";
import { type SentTransaction, sendTransaction } from "./sendTransaction.ts";
import { watchRequest } from "./watchRequest.ts";

/** A transaction that a step wants, ready to be sent. */
interface PlannedTransaction {
  readonly stepId: string;
  readonly chainId: number;
  readonly to: `0x${string}`;
  readonly data: Hex;
  readonly value: bigint;
}

/** Something that happened while steps are executed. */
export type ExecutionEvent =
  | { readonly kind: "sent"; readonly stepId: string; readonly txHash: Hex }
  | { readonly kind: "confirmed"; readonly stepId: string; readonly txHash: Hex; readonly gasUsed: bigint }
  | { readonly kind: "status"; readonly status: IntentStatus };

/** What {@link executeSteps} takes. */
export interface ExecuteStepsParameters {
  readonly quote: Quote;
  /** A wallet on the origin chain, with its account. */
  readonly wallet: WalletClient<Transport, Chain, Account>;
  /** Milliseconds between two looks at the status; see {@link watchRequest}. */
  readonly pollIntervalMs?: number;
  /** The longest watch after the deposit, in milliseconds. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: ExecutionEvent) => void;
}

/** What came of executing the steps. */
export interface ExecutionResult {
  readonly requestId: string;
  /** The transactions that were sent, in order. */
  readonly transactions: readonly SentTransaction[];
  /** The final status: `success`. */
  readonly status: IntentStatus;
}

/**
 * Performs the steps of a quote with a wallet: sends each transaction and waits for it, tells the service of the
 * deposit, and follows the request to its end. All steps are checked before the first transaction is sent.
 *
 * @throws {@link UnsupportedStepError} when a step is no transaction; nothing was sent then
 * @throws {@link MalformedDataError} when a step lacks what it needs; nothing was sent then
 * @throws {@link WrongChainError} when the wallet is on another chain; nothing was sent then
 * @throws {@link TransactionFailedError} when a transaction is refused or reverts
 * @throws {@link RequestNotFilledError} when the request ends in failure or refund
 */
export async function executeSteps(
  client: ServiceClient,
  parameters: ExecuteStepsParameters,
): Promise<ExecutionResult> {
  const { quote, wallet, signal, onEvent } = parameters;
  const planned = quote.steps.flatMap(planStep);
  const requestId = quote.steps.find((step) => step.requestId !== undefined)?.requestId;
  if (requestId === undefined) {
    throw new MalformedDataError({ what: "the quote", path: "steps", reason: "no step carries a requestId" });
  }

  const transactions: SentTransaction[] = [];
  for (const transaction of planned) {
    throwIfAborted(signal, `step ${transaction.stepId}`);
    const { stepId } = transaction;
    const sent = await sendTransaction(wallet, {
      ...transaction,
      onSent: (txHash) => onEvent?.({ kind: "sent", stepId, txHash }),
    });
    transactions.push(sent);
    onEvent?.({ kind: "confirmed", stepId, txHash: sent.txHash, gasUsed: sent.gasUsed });
    if (stepId === "deposit") await announce(client, requestId, sent, signal);
  }

  const status = await watchRequest(client, {
    requestId,
    signal,
    ...(parameters.pollIntervalMs === undefined ? {} : { pollIntervalMs: parameters.pollIntervalMs }),
    ...(parameters.timeoutMs === undefined ? {} : { timeoutMs: parameters.timeoutMs }),
    onStatus: (status) => onEvent?.({ kind: "status", status }),
  });
  return { requestId, transactions, status };
}

function planStep(step: Step, index: number): PlannedTransaction[] {
  if (step.kind !== "transaction") throw new UnsupportedStepError({ stepId: step.id, kind: step.kind });
  return step.items
    .filter((item) => item.status === "incomplete")
    .map((item, itemIndex) => planItem(step, item, `steps[${index}].items[${itemIndex}].data`));
}

function planItem(step: Step, item: StepItem, path: string): PlannedTransaction {
  const data = parseData(TransactionDataSchema, item.data, "the quote", path);
  return {
    stepId: step.id,
    chainId: data.chainId,
    to: parseEvmAddress(data.to, `${path}.to`),
    data: (data.data ?? "0x") as Hex,
    value: parseAmount(data.value ?? "0", `${path}.value`),
  };
}

/** The deposit is on chain: a service that cannot be told now will find it by itself. */
async function announce(
  client: ServiceClient,
  requestId: string,
  sent: SentTransaction,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await announceDeposit(client, { chainId: sent.chainId, txHash: sent.txHash, requestId, signal });
  } catch (error) {
    if (!(error instanceof CrosscallError) || error.code === "ABORTED") throw error;
  }
}
