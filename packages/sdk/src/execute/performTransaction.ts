import { BaseError, type Client, type Hex, keccak256 } from "viem";
import { getBlockNumber, getTransaction, getTransactionCount, sendRawTransaction } from "viem/actions";

import { CrosscallError, throwIfAborted, TimedOutError, TransactionFailedError } from "@crosscall/protocol/core";
import { isPayment, type PlannedTransaction } from "@crosscall/protocol/quote/rules";
import type { SentTransaction } from "./executeStepsParameters.ts";
import { elapsed, inTurn, type PreparedExecution, readAfterSent, requireSameEntry, unresolved } from "./execution.ts";
import { type PaymentUnresolvedError, TransactionReplacedError, UserRejectedError } from "./executionErrors.ts";
import { contains, findByNonce, findReceipt, findSighting, performs, type Sighting } from "./findPayment.ts";
import { chooseFees, chooseGas, gasLimitsOf, highestFee, requireAffordableGas } from "./gas.ts";
import { askNode, kitErrorIn, nodeReason, throwAborted } from "./node.ts";
import type { JournaledTransaction } from "./requestJournal.ts";
import { readChainId } from "./walletResponses.ts";
import {
  askUser,
  hasSign,
  isDefinitelyUnsent,
  isUncertain,
  isUnsupportedMethod,
  isUserRejection,
} from "./walletErrors.ts";
import type { FinalTransaction, StepWallet } from "./wallets.ts";

/** Interval of checks that the node still has a signed transaction. */
const REBROADCAST_MS = 10_000;

/** Maximum number of consecutive node errors during the wait for inclusion. */
const FAILURES_MAX = 10;

/** Number of blocks to search again, because a reorganization can move a payment to a block already searched. */
const REORG_BLOCKS = 64n;

/** Step that is sent as a transaction. */
export interface TransactionStep {
  readonly execution: PreparedExecution;
  readonly wallet: StepWallet;
  readonly planned: PlannedTransaction;
  /** Whether the step must be performed; false for an approval if its payment has already started. */
  readonly isNeeded: boolean;
}

/**
 * Sends a transaction that is included at most once with any wallet, even across crashes. Signed bytes are journaled
 * before they are sent, so a later run sends the same bytes. A wallet that keeps its keys can use another nonce and
 * return an unknown hash, so neither is proof. A payment is complete when its order is paid. The wallet is prompted a
 * second time only if the first payment can no longer be made, or with `payAgain`.
 *
 * @returns undefined if the step took effect, but the node shows no transaction
 */
export async function performTransaction(step: TransactionStep): Promise<SentTransaction | undefined> {
  const { planned, execution } = step;
  const { chainId } = planned;
  const earlier = await execution.journal.transaction(planned);
  if (!step.isNeeded) return findApproval(step, earlier);
  const entry =
    earlier === undefined
      ? await beginInTurn(step)
      : await askNode(chainId, "whether the step was performed", () => resume(step, earlier));
  if (entry.txHash !== undefined) reportSent(step, entry.txHash as Hex, entry.txHash === earlier?.txHash);
  const { nonce, ...sighting } = await awaitInclusion(step, entry);
  execution.nonces.set(nonceKey(planned), nonce);
  if (sighting.kind === "seen") return undefined;
  const { receipt, txHash } = sighting;
  if (txHash !== entry.txHash) reportSent(step, txHash, false);
  if (receipt.status === "success") return { chainId, txHash, gasUsed: receipt.gasUsed };
  throw new TransactionFailedError({
    message: `transaction ${txHash} on chain ${chainId} reverted`,
    hint: "Check its trace, and quote again before you retry.",
    chainId,
    txHash,
  });
}

function reportSent({ execution, planned }: TransactionStep, txHash: Hex, isResumed: boolean): void {
  execution.onEvent({ kind: "sent", stepId: planned.stepId, txHash, ...(isResumed ? { isResumed } : {}) });
}

/** Finds the approval of a started payment, if the node shows it. */
async function findApproval(
  step: TransactionStep,
  entry: JournaledTransaction | undefined,
): Promise<SentTransaction | undefined> {
  const { client } = step.wallet;
  if (entry?.txHash === undefined || (await findSent(client, step.planned, entry)) === undefined) return undefined;
  const inclusion = await findReceipt(client, entry.txHash as Hex).catch(() => undefined);
  if (inclusion === undefined) return undefined;
  const { txHash, receipt } = inclusion;
  reportSent(step, txHash, true);
  return { chainId: step.planned.chainId, txHash, gasUsed: receipt.gasUsed };
}

/** Last transaction of each account whose key is in this process. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Begins the step after the account's earlier transactions are sent, because payments of several requests would choose
 * the same nonce. A wallet that keeps its keys chooses nonces itself.
 */
function beginInTurn(step: TransactionStep): Promise<JournaledTransaction> {
  const { execution, wallet, planned } = step;
  if (wallet.signTransaction === undefined) return begin(step);
  return inTurn(turns, nonceKey(planned), () => begin(step), execution.signal);
}

/** Journals the transaction, then sends it. */
async function begin(step: TransactionStep, earlier?: JournaledTransaction): Promise<JournaledTransaction> {
  const { execution, wallet, planned } = step;
  const { chainId, from, to, data, value, stepId } = planned;
  const { transaction, fromBlock } = await failAsUnsent(planned, async () => {
    const [count, fromBlock] = await Promise.all([
      getTransactionCount(wallet.client, { address: from, blockTag: "pending" }),
      getBlockNumber(wallet.client, { cacheTime: 0 }),
    ]);
    const nonce = Math.max(count, (execution.nonces.get(nonceKey(planned)) ?? -1) + 1);
    return { transaction: await finalise(step, nonce), fromBlock };
  });
  throwIfAborted(execution.signal, `step ${stepId}`);
  requireSameEntry(await execution.journal.transaction(planned), earlier, stepId);
  return send(step, transaction, {
    chainId,
    from,
    to,
    data,
    value: value.toString(),
    nonce: transaction.nonce,
    fromBlock: fromBlock.toString(),
    askedAtMs: execution.clock.now(),
  });
}

/** Continues an earlier run's transaction. */
async function resume(step: TransactionStep, entry: JournaledTransaction): Promise<JournaledTransaction> {
  const { execution, planned } = step;
  const { client } = step.wallet;
  const { payAgain } = execution;
  const isPaying = isPayment(planned);
  // Resends signed bytes while waiting, if the node no longer has them.
  if (!payAgain && (entry.signed !== undefined || (isPaying && entry.txHash !== undefined))) return entry;
  const { inclusion, sent } = await look(client, planned, entry);
  if ((inclusion ?? sent) !== undefined) return entry;
  const range = { fromBlock: BigInt(entry.fromBlock) };
  if ((await findSighting(client, execution, planned, range)) !== undefined) return entry;
  if (isPaying && !payAgain) throw paymentUnresolved(step, entry, "the wallet did not return its transaction hash");
  // Passes the same nonce, so that a wallet that respects it cannot repeat the step.
  const count = await getTransactionCount(client, { address: planned.from, blockTag: "pending" });
  if (count > entry.nonce) return begin(step, entry);
  const transaction = await failAsUnsent(planned, () => finalise(step, entry.nonce));
  const { txHash: _txHash, signed: _signed, isNonceKnown: _isNonceKnown, ...draft } = entry;
  return send(step, transaction, draft);
}

async function send(
  step: TransactionStep,
  transaction: FinalTransaction,
  draft: JournaledTransaction,
): Promise<JournaledTransaction> {
  const { planned, wallet } = step;
  const { signTransaction } = wallet;
  if (signTransaction === undefined) return sendByWallet(step, transaction, draft);
  const signed = await askUser(planned.stepId, () => signTransaction(transaction));
  const entry = { ...draft, txHash: keccak256(signed), signed };
  await step.execution.journal.setStep(planned.position, entry);
  await failAsUnsent(planned, () => broadcast(wallet.client, signed));
  return entry;
}

/**
 * Sends with a wallet that keeps its keys. Until it returns a hash, only the wallet knows whether the transaction was
 * sent.
 */
async function sendByWallet(
  step: TransactionStep,
  transaction: FinalTransaction,
  draft: JournaledTransaction,
): Promise<JournaledTransaction> {
  const { planned, wallet } = step;
  const { journal } = step.execution;
  const { position, stepId } = planned;
  await journal.setStep(position, draft);
  let txHash: Hex | undefined;
  try {
    txHash = await wallet.sendTransaction(transaction);
  } catch (cause) {
    const kitError = kitErrorIn(cause);
    if (kitError?.code === "ABORTED") throw kitError;
    const isRejected = isUserRejection(cause);
    const isUnsent = isRejected || isDefinitelyUnsent(cause);
    if (isUnsent) await journal.setStep(position, { ...draft, isVoid: true });
    if (isRejected) throw new UserRejectedError({ stepId, cause });
    if (isUnsent || !isPayment(planned)) throw describeUnsent(planned, cause);
    const silence = kitError instanceof TimedOutError ? "the wallet did not respond in time" : nodeReason(cause);
    throw paymentUnresolved(step, draft, silence, cause);
  }
  if (txHash === undefined) {
    const reason = "the wallet returned no transaction hash";
    if (isPayment(planned)) throw paymentUnresolved(step, draft, reason);
    throw describeUnsent(planned, new Error(reason));
  }
  const sent = { ...draft, txHash };
  await journal.setStep(position, sent);
  return recordNonce(step, sent, await findSent(wallet.client, planned, sent));
}

function nonceKey({ chainId, from }: PlannedTransaction): string {
  return `${chainId} ${from}`;
}

async function finalise({ execution, wallet, planned }: TransactionStep, nonce: number): Promise<FinalTransaction> {
  const step = await execution.verify(planned);
  const { chainId } = step;
  const limits = gasLimitsOf(execution.quote, chainId, execution.limits);
  const { client } = wallet;
  const [gas, fees] = await Promise.all([
    readAfterSent(execution, client, () => chooseGas(client, step)),
    chooseFees(client, step, limits),
  ]);
  requireAffordableGas({ chainId, gasPrice: 0n, gasCost: gas * highestFee(fees), limits });
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
    hint: "Fix the cause, then execute the same quote with the same journal again.",
    chainId,
    cause,
  });
}

function paymentUnresolved(
  { execution, planned }: TransactionStep,
  { txHash: reference, askedAtMs }: JournaledTransaction,
  reason: string,
  cause?: unknown,
): PaymentUnresolvedError {
  return unresolved(execution, planned, { what: "transaction", reference, askedAtMs, reason, cause });
}

/**
 * Waits until the step is done: by the transaction, by the same payment under a different hash, or by another payment
 * of the order. Resends signed bytes that the node lost.
 *
 * @throws {@link TransactionReplacedError} when another transaction used the known nonce of the transaction
 * @throws {@link PaymentUnresolvedError} when a payment is not included in time; {@link TransactionFailedError} for
 * other steps
 */
async function awaitInclusion(
  step: TransactionStep,
  entry: JournaledTransaction,
): Promise<Sighting & { readonly nonce: number }> {
  const { execution, planned } = step;
  const { client } = step.wallet;
  const { timeoutMs, pollIntervalMs } = execution;
  const what = `the wait for the transaction of step ${planned.stepId} on chain ${entry.chainId}`;
  let [sendsAtMs, asksAtMs, failures, fromBlock] = [0, 0, 0, BigInt(entry.fromBlock)];
  try {
    for await (const waitedMs of elapsed(client, execution, { timeoutMs, what })) {
      const found = await look(client, planned, entry).catch((error: unknown) => {
        failures += 1;
        const isFinal = failures > FAILURES_MAX || kitErrorIn(error) !== undefined || isUnsupportedMethod(error);
        if (isFinal || waitedMs >= timeoutMs || !(error instanceof BaseError)) throw error;
      });
      if (found === undefined) continue;
      failures = 0;
      const { inclusion, carrier, sent, isNonceUsed } = found;
      if (inclusion !== undefined) return { kind: "included", ...inclusion, nonce: entry.nonce };
      entry = await recordNonce(step, entry, sent);
      // Signed bytes are either included, or another transaction uses their nonce. Other wallets can behave in any way.
      if (isNonceUsed || (sent?.isOwn !== true && entry.signed === undefined)) {
        const head = await getBlockNumber(client, { cacheTime: 0 });
        const asksService = waitedMs >= asksAtMs;
        if (asksService) asksAtMs = waitedMs + pollIntervalMs;
        const sighting = await findSighting(client, execution, planned, { fromBlock, asksService });
        if (sighting?.kind === "seen" && carrier !== undefined) {
          return { kind: "included", ...carrier, nonce: entry.nonce };
        }
        if (sighting !== undefined) return { ...sighting, nonce: entry.nonce };
        if (isNonceUsed) await requireNoOther(step, entry);
        if (head - REORG_BLOCKS > fromBlock) fromBlock = head - REORG_BLOCKS;
      }
      const isLost = entry.signed !== undefined && sent === undefined && !isNonceUsed;
      if (isLost && waitedMs >= sendsAtMs && waitedMs < timeoutMs) {
        await broadcast(client, entry.signed as Hex);
        sendsAtMs = waitedMs + REBROADCAST_MS;
      }
    }
  } catch (error) {
    if (error instanceof CrosscallError) throw error;
    throwAborted(error);
    throw notSeen(step, entry, error);
  }
  throw notSeen(step, entry, undefined);
}

/** Sends signed bytes. It is not an error if the node already has the bytes, or may have accepted them. */
async function broadcast(client: Client, signed: Hex): Promise<void> {
  try {
    await sendRawTransaction(client, { serializedTransaction: signed });
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    throwAborted(error);
    // A used nonce is resolved during the wait for inclusion.
    if (!isUncertain(error) && !hasSign(error, { words: [/nonce.*(?:too low|used|lower)|\bOldNonce\b/iu] }))
      throw error;
  }
}

/** Transaction with the hash that a wallet returned, if it performs the step. */
interface Sent {
  readonly nonce: number;
  /**
   * Whether the transaction is the account's own; false if it only contains the call, as transactions of contract
   * accounts and relayers do.
   */
  readonly isOwn: boolean;
}

/**
 * Returns undefined if the node does not know the transaction, or the transaction does not perform the step, because a
 * wallet can return any hash.
 */
async function findSent(
  client: Client,
  planned: PlannedTransaction,
  { txHash, signed }: JournaledTransaction,
): Promise<Sent | undefined> {
  if (txHash === undefined) return undefined;
  const transaction = await getTransaction(client, { hash: txHash as Hex }).catch(() => undefined);
  if (transaction === undefined) return undefined;
  const isOwn = signed !== undefined || performs(transaction, planned);
  return isOwn || contains(transaction, planned) ? { nonce: transaction.nonce, isOwn } : undefined;
}

/** Reads what the node knows. `carrier` is a successful transaction that contains the call, which can have failed. */
async function look(client: Client, planned: PlannedTransaction, entry: JournaledTransaction) {
  const { signed, txHash } = entry;
  // Reads the nonce first: if the transaction is included in between, the second call finds it.
  const count = await getTransactionCount(client, { address: entry.from as Hex, blockTag: "latest" });
  const sent = await findSent(client, planned, entry);
  const isSearched = txHash !== undefined && (sent !== undefined || signed !== undefined);
  const receipt = isSearched ? await findReceipt(client, txHash as Hex) : undefined;
  if (receipt !== undefined && (sent?.isOwn === true || signed !== undefined)) {
    return { inclusion: receipt, carrier: undefined, sent, isNonceUsed: true };
  }
  const carrier = receipt?.receipt.status === "success" ? receipt : undefined;
  // Without a receipt, a higher nonce of the account means that another transaction used the nonce.
  const isNonceUsed = count > entry.nonce;
  const other = isNonceUsed ? await findByNonce(client, entry) : undefined;
  const isSame = other !== undefined && performs(other, planned);
  return { inclusion: isSame ? await findReceipt(client, other.hash) : undefined, carrier, sent, isNonceUsed };
}

/** @throws {@link TransactionReplacedError} when the transaction can no longer be included */
async function requireNoOther(
  { execution, wallet, planned }: TransactionStep,
  entry: JournaledTransaction,
): Promise<void> {
  // A wallet that chooses its nonce may have used another nonce for the step.
  if (entry.signed === undefined && entry.isNonceKnown !== true) return;
  const { chainId, nonce } = entry;
  const { client } = wallet;
  const other = await findByNonce(client, entry);
  if (other === undefined || performs(other, planned) || contains(other, planned)) return;
  // The user can have switched the wallet to another chain, where the account's nonces are unrelated.
  if (readChainId(await client.request({ method: "eth_chainId" })) !== chainId) return;
  await execution.journal.setStep(planned.position, { ...entry, isVoid: true });
  throw new TransactionReplacedError({ chainId, nonce, replacementHash: other.hash });
}

/** Records the transaction's nonce. A wallet can choose a different nonce, which only the node shows. */
async function recordNonce(
  { execution, planned }: TransactionStep,
  entry: JournaledTransaction,
  sent: Sent | undefined,
): Promise<JournaledTransaction> {
  if (entry.signed !== undefined || entry.isNonceKnown === true || sent?.isOwn !== true) return entry;
  const known = { ...entry, nonce: sent.nonce, isNonceKnown: true };
  await execution.journal.setStep(planned.position, known);
  return known;
}

function notSeen(
  step: TransactionStep,
  entry: JournaledTransaction,
  cause: unknown,
): PaymentUnresolvedError | TransactionFailedError {
  const detail = cause instanceof BaseError ? `: ${cause.shortMessage}` : "";
  if (isPayment(step.planned)) return paymentUnresolved(step, entry, `it was not included in time${detail}`, cause);
  const { chainId, nonce, txHash } = entry;
  return new TransactionFailedError({
    message: `the transaction with nonce ${nonce} on chain ${chainId} was sent, but not included in time${detail}`,
    hint: "Do not quote again: execute the same quote with the same journal again.",
    chainId,
    ...(txHash === undefined ? {} : { txHash }),
    cause,
  });
}
