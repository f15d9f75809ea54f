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
import type { PlannedTransaction } from "../../protocol/quote/planSteps.ts";
import type { FinalTransaction, StepWallet } from "./stepWallet.ts";
import { askUser, isUserRejection } from "./performSignature.ts";

export interface PerformTransactionParameters {
  readonly planned: PlannedTransaction;
  readonly journal: RequestJournal;
  readonly signal: AbortSignal | undefined;
  /** Last nonces that this run used, by chain and account. */
  readonly nonces?: UsedNonces;
  /** The machine's clock by default. */
  readonly clock?: Clock;
  /** Called when the transaction is sent, and again when another hash replaces it. */
  /** `isResumed` if an earlier run recorded the transaction. */
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
 * Gets a transaction included at most once, whatever is killed in between. The nonce, and signed bytes if the wallet
 * signs offline, are journaled before sending, so a later run sends the same bytes or uses the same nonce. Inclusion is
 * always read from the chain, so reorgs are noticed.
 */
export async function performTransaction(
  wallet: StepWallet,
  parameters: PerformTransactionParameters,
): Promise<SentTransaction> {
  const { planned, journal, onSent, nonces, clock = systemClock } = parameters;
  const earlier = await journal.transaction(planned);
  const entry = earlier === undefined ? await begin(wallet, parameters) : await resume(wallet, parameters, earlier);
  if (entry.txHash !== undefined) onSent(entry.txHash as Hex, entry.txHash === earlier?.txHash);
  const { receipt, txHash } = await awaitInclusion(wallet.client, {
    planned,
    entry,
    clock,
    signal: parameters.signal,
  });
  nonces?.set(nonceKey(planned), entry.nonce);
  if (txHash !== entry.txHash) onSent(txHash, false);
  if (receipt.status === "success") return { chainId: planned.chainId, txHash, gasUsed: receipt.gasUsed };
  throw new TransactionFailedError({
    message: `transaction ${txHash} on chain ${planned.chainId} reverted`,
    hint: "Look at its trace; quote again before another try.",
    chainId: planned.chainId,
    txHash,
  });
}

/** Journals, then sends. */
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

/** Continues an earlier run's transaction, which may have been sent. */
async function resume(
  wallet: StepWallet,
  parameters: PerformTransactionParameters,
  entry: JournaledTransaction,
): Promise<JournaledTransaction> {
  // Signed bytes are sent again while waiting, whenever the node lacks them.
  if (entry.signed !== undefined || (await isUnderWay(wallet, entry))) return entry;
  const transaction = await failAsUnsent(parameters.planned, () => finalise(wallet, parameters.planned, entry.nonce));
  return sendByWallet(wallet, parameters, entry, transaction);
}

/** Whether the nonce is used, included or pending: nothing must be sent then. */
async function isUnderWay({ client, address }: StepWallet, { nonce, txHash }: JournaledTransaction): Promise<boolean> {
  if ((await getTransactionCount(client, { address, blockTag: "pending" })) > nonce) return true;
  if (txHash === undefined) return false;
  // A node may know a pending transaction without counting it.
  return getTransaction(client, { hash: txHash as Hex }).then(
    () => true,
    () => false,
  );
}

/** Sends with a wallet that keeps its keys: the nonce is journaled before, the hash afterwards. */
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
