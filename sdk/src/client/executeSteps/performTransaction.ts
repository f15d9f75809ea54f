import { BaseError, type Hex, keccak256 } from "viem";
import { getBlockNumber, getTransaction, getTransactionCount } from "viem/actions";

import { throwIfAborted } from "../../core/abort.ts";
import { type Clock, systemClock } from "../../core/clock.ts";
import { TransactionFailedError } from "../../core/errors.ts";
import { shortReason } from "../../core/shortReason.ts";
import { awaitInclusion, broadcast } from "./awaitInclusion.ts";
import { UserRejectedError } from "./executionErrors.ts";
import { chooseFees, chooseGas } from "./gas.ts";
import type { RequestJournal, JournaledTransaction } from "./journal.ts";
import type { PlannedTransaction } from "./planSteps.ts";
import type { FinalTransaction, StepWallet } from "./stepWallet.ts";
import { askUser, isUserRejection } from "./userRejection.ts";

/** What {@link performTransaction} takes. */
export interface PerformTransactionParameters {
  readonly planned: PlannedTransaction;
  readonly journal: RequestJournal;
  readonly signal: AbortSignal | undefined;
  /** The nonces that this run used last, by chain and account; none where it is left out. */
  readonly nonces?: UsedNonces;
  /** The machine's own when left out. */
  readonly clock?: Clock;
  /** Told the hash as soon as the transaction is sent; again when another hash takes its place. */
  readonly onSent: (txHash: Hex) => void;
}

/** What a node that lags behind does not count yet. */
export type UsedNonces = Map<string, number>;

/** A transaction that was included and succeeded. */
export interface SentTransaction {
  readonly chainId: number;
  readonly txHash: Hex;
  readonly gasUsed: bigint;
}

/**
 * Brings a step's transaction into a block, at most once whatever was killed before. Its nonce, and with a wallet that
 * signs offline its signed bytes, are in the journal before it is sent: a later run sends the same bytes, or under the
 * same nonce, and a chain includes one of these only. What is in a block is asked of the chain, never of the journal,
 * so that a block that was undone is seen.
 *
 * @throws {@link TransactionFailedError} without `txHash` when it is refused and so was not sent; with `txHash` when it
 * was sent, and reverted or was not seen included
 * @throws {@link UserRejectedError} when the user declines it in the wallet
 * @throws {@link TransactionReplacedError} when another transaction took its nonce
 * @throws {@link AbortedError} when the signal fires; what was sent stays sent
 */
export async function performTransaction(
  wallet: StepWallet,
  parameters: PerformTransactionParameters,
): Promise<SentTransaction> {
  const { planned, journal, onSent, nonces, clock = systemClock } = parameters;
  const earlier = await journal.transaction(planned);
  const entry = earlier === undefined ? await begin(wallet, parameters) : await resume(wallet, parameters, earlier);
  if (entry.txHash !== undefined) onSent(entry.txHash as Hex);
  const { receipt, txHash } = await awaitInclusion(wallet.client, {
    planned,
    entry,
    clock,
    signal: parameters.signal,
  });
  nonces?.set(nonceKey(planned), entry.nonce);
  if (txHash !== entry.txHash) onSent(txHash);
  if (receipt.status === "success") return { chainId: planned.chainId, txHash, gasUsed: receipt.gasUsed };
  throw new TransactionFailedError({
    message: `transaction ${txHash} on chain ${planned.chainId} reverted`,
    hint: "Look at its trace; quote again before another try.",
    chainId: planned.chainId,
    txHash,
  });
}

/** Writes down and sends what was never begun. */
async function begin(wallet: StepWallet, parameters: PerformTransactionParameters): Promise<JournaledTransaction> {
  const { planned, journal, signal, nonces } = parameters;
  const { chainId, from, to, data, value } = planned;
  const { transaction, fromBlock } = await failAsUnsent(planned, async () => {
    const [count, fromBlock] = await Promise.all([
      getTransactionCount(wallet.client, { address: from, blockTag: "pending" }),
      getBlockNumber(wallet.client, { cacheTime: 0 }),
    ]);
    const nonce = Math.max(count, (nonces?.get(nonceKey(planned)) ?? -1) + 1);
    return { transaction: await finalise(wallet, planned, nonce), fromBlock };
  });
  const draft = {
    chainId,
    from,
    to,
    data,
    value: value.toString(),
    nonce: transaction.nonce,
    fromBlock: fromBlock.toString(),
  };
  throwIfAborted(signal, `step ${planned.stepId}`);
  if (wallet.signTransaction === undefined) {
    await journal.setTransaction(planned.position, draft);
    return sendByWallet(wallet, parameters, draft, transaction);
  }
  const { signTransaction } = wallet;
  const signed = await askUser(planned.stepId, () => signTransaction(transaction));
  const entry = { ...draft, txHash: keccak256(signed), signed };
  await journal.setTransaction(planned.position, entry);
  await failAsUnsent(planned, () => broadcast(wallet.client, signed));
  return entry;
}

/** Goes on with what an earlier run wrote down, and may have sent. */
async function resume(
  wallet: StepWallet,
  parameters: PerformTransactionParameters,
  entry: JournaledTransaction,
): Promise<JournaledTransaction> {
  // Signed bytes can be sent any number of times: the wait does so whenever the node does not have them.
  if (entry.signed !== undefined || (await isUnderWay(wallet, entry))) return entry;
  const transaction = await failAsUnsent(parameters.planned, () => finalise(wallet, parameters.planned, entry.nonce));
  return sendByWallet(wallet, parameters, entry, transaction);
}

/** Whether the nonce is taken, in a block or waiting for one. Whatever took it, nothing is to be sent now. */
async function isUnderWay({ client, address }: StepWallet, { nonce, txHash }: JournaledTransaction): Promise<boolean> {
  if ((await getTransactionCount(client, { address, blockTag: "pending" })) > nonce) return true;
  if (txHash === undefined) return false;
  // A node that does not count what waits may know it all the same.
  return getTransaction(client, { hash: txHash as Hex }).then(
    () => true,
    () => false,
  );
}

/** Sends with a wallet that keeps its keys: the nonce is written down already, the hash as soon as it is known. */
async function sendByWallet(
  wallet: StepWallet,
  { planned, journal }: PerformTransactionParameters,
  entry: JournaledTransaction,
  transaction: FinalTransaction,
): Promise<JournaledTransaction> {
  const txHash = await wallet.sendTransaction(transaction).catch(async (cause: unknown) => {
    if (!isUserRejection(cause)) throw describeUnsent(planned, cause);
    await journal.setTransaction(planned.position, { ...entry, isDeclined: true });
    throw new UserRejectedError({ stepId: planned.stepId, cause });
  });
  // Some wallets choose the nonce themselves.
  const nonce = await getTransaction(wallet.client, { hash: txHash }).then(
    (sent) => sent.nonce,
    () => entry.nonce,
  );
  const sent = { ...entry, nonce, txHash };
  await journal.setTransaction(planned.position, sent);
  return sent;
}

function nonceKey({ chainId, from }: PlannedTransaction): string {
  return `${chainId} ${from}`;
}

async function finalise(wallet: StepWallet, planned: PlannedTransaction, nonce: number): Promise<FinalTransaction> {
  const [gas, fees] = await Promise.all([chooseGas(wallet.client, planned), chooseFees(wallet.client, planned)]);
  const { chainId, to, data, value } = planned;
  return { chainId, nonce, to, data, value, gas, fees };
}

async function failAsUnsent<Result>(planned: PlannedTransaction, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof BaseError ? describeUnsent(planned, error) : error;
  }
}

function describeUnsent({ chainId, to }: PlannedTransaction, cause: unknown): TransactionFailedError {
  return new TransactionFailedError({
    message: `a transaction to ${to} on chain ${chainId} could not be sent: ${shortReason(cause)}`,
    hint: "Remove the reason, and execute the same quote with the same journal again.",
    chainId,
    cause,
  });
}
