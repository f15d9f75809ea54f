import { BaseError, type Hex, keccak256 } from "viem";
import { getBlockNumber, getTransactionCount } from "viem/actions";

import { type Clock, throwIfAborted, TimedOutError, TransactionFailedError } from "@crosscall/protocol/core";
import { isPayment, type PlannedTransaction } from "@crosscall/protocol/quote/rules";
import type { Quote } from "@crosscall/protocol/quote";
import type { ServiceClient } from "../client/client.ts";
import { awaitInclusion, broadcast, findSent, recordNonce } from "./awaitInclusion.ts";
import { kitErrorIn } from "./boundClient.ts";
import { PaymentUnresolvedError, UserRejectedError } from "./executionErrors.ts";
import { findSighting } from "./findSighting.ts";
import { findReceipt } from "./findTransaction.ts";
import { chooseFees, chooseGas, type GasLimits, gasLimitsOf, highestFee, requireAffordableGas } from "./gas.ts";
import type { RequestJournal } from "./requestJournal.ts";
import type { JournaledTransaction } from "./journalEntries.ts";
import type { FinalTransaction, StepWallet } from "./stepWallet.ts";
import { nodeReason } from "./nodeErrors.ts";
import type { VerifyStep } from "./requireVerified.ts";
import { askUser, isDefinitelyUnsent, isUserRejection } from "./walletErrors.ts";

export interface PerformTransactionParameters {
  readonly service: ServiceClient;
  readonly quote: Quote;
  readonly requestId: string;
  readonly planned: PlannedTransaction;
  /** False for an approval whose payment began: it was made. */
  readonly isNeeded: boolean;
  /** Called right before a wallet is prompted. */
  readonly verify: VerifyStep;
  readonly limits?: GasLimits;
  readonly journal: RequestJournal;
  /** Whether to prompt again although an earlier payment may still be made. */
  readonly payAgain: boolean;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly pollIntervalMs: number;
  /** Last nonces that this run used, by chain and account. */
  readonly nonces: UsedNonces;
  /** Called with each hash that the transaction gets. `isResumed` if an earlier run recorded the transaction. */
  readonly onSent: (txHash: Hex, isResumed: boolean) => void;
}

/** For nodes that lag behind. */
export type UsedNonces = Map<string, number>;

export interface SentTransaction {
  readonly chainId: number;
  readonly txHash: Hex;
  readonly gasUsed: bigint;
}

/**
 * Gets a transaction included at most once, whatever the wallet does and whatever is killed in between. Signed bytes are journaled
 * before they are sent, so a later run sends the same bytes. A wallet that keeps its keys may use another nonce and return a hash
 * that no node knows, so neither decides: a payment is made when its order is paid, and a wallet is prompted a second time only if
 * the first payment can no longer be made, or with `payAgain`.
 *
 * @returns undefined if the step has its effect, but the node shows no transaction
 */
export async function performTransaction(
  wallet: StepWallet,
  parameters: PerformTransactionParameters,
): Promise<SentTransaction | undefined> {
  const { planned, journal, onSent, nonces } = parameters;
  const earlier = await journal.transaction(planned);
  if (!parameters.isNeeded) return findApproval(wallet, parameters, earlier);
  const entry = earlier === undefined ? await begin(wallet, parameters) : await resume(wallet, parameters, earlier);
  if (entry.txHash !== undefined) onSent(entry.txHash as Hex, entry.txHash === earlier?.txHash);
  const sighting = await awaitInclusion(wallet.client, { ...parameters, entry });
  nonces.set(nonceKey(planned), sighting.nonce);
  if (sighting.kind === "seen") return undefined;
  const { receipt, txHash } = sighting;
  if (txHash !== entry.txHash) onSent(txHash, false);
  if (receipt.status === "success") return { chainId: planned.chainId, txHash, gasUsed: receipt.gasUsed };
  throw new TransactionFailedError({
    message: `transaction ${txHash} on chain ${planned.chainId} reverted`,
    hint: "Look at its trace; quote again before another try.",
    chainId: planned.chainId,
    txHash,
  });
}

/** The approval of a payment that began, as far as the node shows it. */
async function findApproval(
  { client }: StepWallet,
  { planned, onSent }: PerformTransactionParameters,
  entry: JournaledTransaction | undefined,
): Promise<SentTransaction | undefined> {
  if (entry?.txHash === undefined || (await findSent(client, planned, entry)) === undefined) return undefined;
  const inclusion = await findReceipt(client, entry.txHash as Hex).catch(() => undefined);
  if (inclusion === undefined) return undefined;
  const { txHash, receipt } = inclusion;
  onSent(txHash, true);
  return { chainId: planned.chainId, txHash, gasUsed: receipt.gasUsed };
}

/** Journals, then sends. */
async function begin(wallet: StepWallet, parameters: PerformTransactionParameters): Promise<JournaledTransaction> {
  const { planned, signal, nonces, clock } = parameters;
  const { chainId, from, to, data, value } = planned;
  const { transaction, fromBlock } = await failAsUnsent(planned, async () => {
    const [count, fromBlock] = await Promise.all([
      getTransactionCount(wallet.client, { address: from, blockTag: "pending" }),
      getBlockNumber(wallet.client, { cacheTime: 0 }),
    ]);
    const nonce = Math.max(count, (nonces.get(nonceKey(planned)) ?? -1) + 1);
    return { transaction: await finalise(wallet, parameters, nonce), fromBlock };
  });
  throwIfAborted(signal, `step ${planned.stepId}`);
  return send(wallet, parameters, transaction, {
    chainId,
    from,
    to,
    data,
    value: value.toString(),
    nonce: transaction.nonce,
    fromBlock: fromBlock.toString(),
    askedAtMs: clock.now(),
  });
}

/** Continues an earlier run's transaction. */
async function resume(
  wallet: StepWallet,
  parameters: PerformTransactionParameters,
  entry: JournaledTransaction,
): Promise<JournaledTransaction> {
  const { planned, payAgain } = parameters;
  // Signed bytes are sent again while waiting, whenever the node lacks them.
  if (entry.signed !== undefined) return entry;
  const mayRepeat = payAgain || !isPayment(planned);
  if (!mayRepeat && entry.txHash !== undefined) return entry;
  if ((await findSent(wallet.client, planned, entry)) !== undefined) return entry;
  if ((await findSighting(wallet.client, { ...parameters, entry })) !== undefined) return entry;
  if (!mayRepeat) throw unresolved(parameters, entry, "the wallet did not return its transaction hash");
  // With the same nonce, a wallet that uses it cannot do the step twice.
  const count = await getTransactionCount(wallet.client, { address: planned.from, blockTag: "pending" });
  if (count > entry.nonce) return begin(wallet, parameters);
  const transaction = await failAsUnsent(planned, () => finalise(wallet, parameters, entry.nonce));
  const { txHash: _txHash, isNonceKnown: _isNonceKnown, ...draft } = entry;
  return send(wallet, parameters, transaction, draft);
}

async function send(
  wallet: StepWallet,
  parameters: PerformTransactionParameters,
  transaction: FinalTransaction,
  draft: JournaledTransaction,
): Promise<JournaledTransaction> {
  const { planned, journal } = parameters;
  if (wallet.signTransaction === undefined) return sendByWallet(wallet, parameters, transaction, draft);
  const { signTransaction } = wallet;
  const signed = await askUser(planned.stepId, () => signTransaction(transaction));
  const entry = { ...draft, txHash: keccak256(signed), signed };
  await journal.setTransaction(planned.position, entry);
  await failAsUnsent(planned, () => broadcast(wallet.client, signed));
  return entry;
}

/** With a wallet that keeps its keys, only the wallet knows whether it sent the transaction, until it returns a hash. */
async function sendByWallet(
  wallet: StepWallet,
  parameters: PerformTransactionParameters,
  transaction: FinalTransaction,
  draft: JournaledTransaction,
): Promise<JournaledTransaction> {
  const { planned, journal } = parameters;
  const { position, stepId } = planned;
  await journal.setTransaction(position, draft);
  let txHash: Hex | undefined;
  try {
    txHash = await wallet.sendTransaction(transaction);
  } catch (cause) {
    const kitError = kitErrorIn(cause);
    if (kitError?.code === "ABORTED") throw kitError;
    const isRejected = isUserRejection(cause);
    const isUnsent = isRejected || isDefinitelyUnsent(cause);
    if (isUnsent) await journal.setTransaction(position, { ...draft, isVoid: true });
    if (isRejected) throw new UserRejectedError({ stepId, cause });
    if (isUnsent || !isPayment(planned)) throw describeUnsent(planned, cause);
    const silence = kitError instanceof TimedOutError ? "the wallet did not answer in time" : nodeReason(cause);
    throw unresolved(parameters, draft, silence, cause);
  }
  if (txHash === undefined) {
    const reason = "the wallet returned no transaction hash";
    if (isPayment(planned)) throw unresolved(parameters, draft, reason);
    throw describeUnsent(planned, new Error(reason));
  }
  const sent = { ...draft, txHash };
  await journal.setTransaction(position, sent);
  return recordNonce({ planned, journal, entry: sent }, await findSent(wallet.client, planned, sent));
}

function nonceKey({ chainId, from }: PlannedTransaction): string {
  return `${chainId} ${from}`;
}

async function finalise(
  wallet: StepWallet,
  { planned, quote, verify, limits }: PerformTransactionParameters,
  nonce: number,
): Promise<FinalTransaction> {
  const step = await verify(planned);
  const { chainId } = step;
  const gasLimits = gasLimitsOf(quote, chainId, limits);
  const [gas, fees] = await Promise.all([chooseGas(wallet.client, step), chooseFees(wallet.client, step, gasLimits)]);
  requireAffordableGas({ chainId, gasPrice: 0n, gasCost: gas * highestFee(fees), limits: gasLimits });
  return { step, nonce, gas, fees };
}

async function failAsUnsent<Result>(planned: PlannedTransaction, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw kitErrorIn(error) ?? (error instanceof BaseError ? describeUnsent(planned, error) : error);
  }
}

function describeUnsent({ chainId, to }: PlannedTransaction, cause: unknown): TransactionFailedError {
  return new TransactionFailedError({
    message: `a transaction to ${to} on chain ${chainId} could not be sent: ${nodeReason(cause)}`,
    hint: "Remove the reason, and execute the same quote with the same journal again.",
    chainId,
    cause,
  });
}

function unresolved(
  { requestId, planned: { stepId, chainId, from } }: Pick<PerformTransactionParameters, "requestId" | "planned">,
  { txHash, askedAtMs }: JournaledTransaction,
  reason: string,
  cause?: unknown,
): PaymentUnresolvedError {
  return new PaymentUnresolvedError({
    requestId,
    stepId,
    chainId,
    account: from,
    what: "transaction",
    reference: txHash,
    askedAtMs,
    reason,
    cause,
  });
}
