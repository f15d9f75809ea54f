import type { Account, Chain, Hex, Transport, WalletClient } from "viem";
import { getChainId } from "viem/actions";

import { isSameAddress } from "../chains/address.ts";
import { throwIfAborted } from "../core/abort.ts";
import { CrosscallError, InvalidInputError, WrongChainError } from "../core/errors.ts";
import type { IntentStatus } from "../protocol/intentStatus.ts";
import type { Quote } from "../protocol/quote.ts";
import { announceDeposit } from "./announceDeposit.ts";
import type { ServiceClient } from "./client.ts";
import { type PlannedTransaction, planTransactions } from "./plannedTransactions.ts";
import { type SentTransaction, sendTransaction } from "./sendTransaction.ts";
import { watchRequest } from "./watchRequest.ts";

/** Something that happened while steps are executed. */
export type ExecutionEvent =
  | { readonly kind: "sent"; readonly stepId: string; readonly txHash: Hex }
  | { readonly kind: "confirmed"; readonly stepId: string; readonly txHash: Hex; readonly gasUsed: bigint }
  | { readonly kind: "status"; readonly status: IntentStatus };

/** What {@link executeSteps} takes. */
export interface ExecuteStepsParameters {
  readonly quote: Quote;
  /** A wallet on the origin chain, with the account that the quote was asked for. */
  readonly wallet: WalletClient<Transport, Chain, Account>;
  /** Milliseconds between two looks at the status; see {@link watchRequest}. */
  readonly pollIntervalMs?: number;
  /** The longest watch after the deposit, in milliseconds. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
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
 * @throws {@link InvalidInputError} when the quote was asked for another account; nothing was sent then
 * @throws {@link WrongChainError} when the wallet is on another chain; nothing was sent then
 * @throws {@link TransactionFailedError} when a transaction is refused, reverts or is not seen included
 * @throws {@link RequestNotFilledError} when the request ends in failure or refund
 * @throws {@link TimedOutError} when the request does not end in time
 * @throws {@link AbortedError} when the signal fires; what was sent stays sent
 */
export async function executeSteps(
  client: ServiceClient,
  parameters: ExecuteStepsParameters,
): Promise<ExecutionResult> {
  const { quote, wallet, signal, onEvent } = parameters;
  const { requestId, transactions: planned } = planTransactions(quote);
  await requireWallet(wallet, planned);

  const transactions: SentTransaction[] = [];
  for (const { stepId, ...transaction } of planned) {
    throwIfAborted(signal, `step ${stepId}`);
    const sent = await sendTransaction(wallet, {
      ...transaction,
      signal,
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

/** Every transaction must be one that this wallet can send, before it sends the first. */
async function requireWallet(
  wallet: WalletClient<Transport, Chain, Account>,
  planned: readonly PlannedTransaction[],
): Promise<void> {
  const actualChainId = await getChainId(wallet);
  for (const { chainId, from } of planned) {
    if (chainId !== actualChainId) {
      throw new WrongChainError({ what: "the wallet", expectedChainId: chainId, actualChainId });
    }
    if (!isSameAddress(from, wallet.account.address)) {
      throw new InvalidInputError({
        field: "wallet.account",
        value: wallet.account.address,
        reason: `the quote was asked for ${from}`,
        cure: "Give the wallet of that account, or quote with this account as user.",
      });
    }
  }
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
