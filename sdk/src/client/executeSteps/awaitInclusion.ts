import {
  BaseError,
  type Client,
  type Hex,
  HttpRequestError,
  TimeoutError,
  type Transaction,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";
import {
  getBlock,
  getBlockNumber,
  getTransaction,
  getTransactionCount,
  getTransactionReceipt,
  sendRawTransaction,
} from "viem/actions";

import { isSameAddress } from "../../chains/address.ts";
import { sleep } from "../../core/abort.ts";
import type { Clock } from "../../core/clock.ts";
import { CrosscallError, TransactionFailedError } from "../../core/errors.ts";
import { TransactionReplacedError } from "./executionErrors.ts";
import type { JournaledTransaction } from "./journal.ts";
import type { PlannedTransaction } from "../../protocol/quote/planSteps.ts";

/** A transaction that is not included within this time needs attention. */
export const INCLUSION_TIMEOUT_MS = 600_000;

/** Interval for checking that the node still has a signed transaction. */
const REBROADCAST_MS = 10_000;

export interface AwaitInclusionParameters {
  readonly planned: PlannedTransaction;
  readonly entry: JournaledTransaction;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
}

export interface Inclusion {
  /** Differs from the journal's if the payment was replaced with higher fees. */
  readonly txHash: Hex;
  readonly receipt: TransactionReceipt;
}

/**
 * Waits until the nonce is used: by the transaction, by the same payment under another hash, or by something else.
 * Signed bytes that the node lost are sent again.
 */
export async function awaitInclusion(client: Client, parameters: AwaitInclusionParameters): Promise<Inclusion> {
  const { planned, entry, signal, clock } = parameters;
  const what = `the wait for nonce ${entry.nonce} on chain ${entry.chainId}`;
  const startedAt = clock.now();
  // Responses take time too, and the interval may be zero.
  const pauseMs = Math.max(client.pollingInterval, 1);
  let heldUntilMs = 0;
  try {
    for (
      let waitedMs = 0;
      waitedMs < INCLUSION_TIMEOUT_MS;
      waitedMs = Math.max(waitedMs + pauseMs, clock.now() - startedAt)
    ) {
      const inclusion = await look(client, planned, entry);
      if (inclusion !== undefined) return inclusion;
      if (entry.signed !== undefined && waitedMs >= heldUntilMs) {
        if (!(await isKnown(client, entry.txHash as Hex))) await broadcast(client, entry.signed as Hex);
        heldUntilMs = waitedMs + REBROADCAST_MS;
      }
      await sleep(pauseMs, signal, what);
    }
  } catch (error) {
    if (error instanceof CrosscallError) throw error;
    throw notSeen(entry, error);
  }
  throw notSeen(entry, undefined);
}

/** Bytes that the node already has, or may have accepted, are not an error. */
export async function broadcast(client: Client, signed: Hex): Promise<void> {
  try {
    await sendRawTransaction(client, { serializedTransaction: signed });
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    const isUncertain = error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError);
    // A used nonce is resolved while waiting for inclusion.
    const isThere = /already (known|imported|in)|known transaction|nonce.*too low|nonce.*(used|lower)/iu.test(
      `${error.details} ${error.message}`,
    );
    if (isUncertain === null && !isThere) throw error;
  }
}

async function look(
  client: Client,
  planned: PlannedTransaction,
  { from, nonce, txHash, fromBlock }: JournaledTransaction,
): Promise<Inclusion | undefined> {
  // Count first: a transaction that is included in between is found by the second call.
  const count = await getTransactionCount(client, { address: from as Hex, blockTag: "latest" });
  const own = txHash === undefined ? undefined : await findReceipt(client, txHash as Hex);
  if (own !== undefined) return own;
  if (count <= nonce) return undefined;
  const other = await findByNonce(client, { from: from as Hex, nonce, fromBlock: BigInt(fromBlock) });
  if (other === undefined) return undefined;
  if (doesTheSame(other, planned)) return findReceipt(client, other.hash);
  throw new TransactionReplacedError({ chainId: planned.chainId, nonce, replacementHash: other.hash });
}

export async function findReceipt(client: Client, hash: Hex): Promise<Inclusion | undefined> {
  try {
    return { txHash: hash, receipt: await getTransactionReceipt(client, { hash }) };
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  }
}

function isKnown(client: Client, hash: Hex): Promise<boolean> {
  return getTransaction(client, { hash }).then(
    () => true,
    () => false,
  );
}

function notSeen({ chainId, nonce, txHash }: JournaledTransaction, cause: unknown): TransactionFailedError {
  const reason = cause instanceof BaseError ? `: ${cause.shortMessage}` : "";
  return new TransactionFailedError({
    message: `the transaction with nonce ${nonce} on chain ${chainId} was sent, but not seen included${reason}`,
    hint: "Do not quote again: execute the same quote with the same journal, which looks it up first.",
    chainId,
    ...(txHash === undefined ? {} : { txHash }),
    cause,
  });
}

/** Content of a transaction, independent of its hash. */
export interface Payload {
  readonly from: string;
  readonly to: string;
  readonly data: string;
  readonly value: bigint;
}

/**
 * The transaction that used a nonce: it is in the first block after which the account's count is above it. Undefined if
 * the node has no old state.
 *
 * @param fromBlock an earlier block
 */
async function findByNonce(
  client: Client,
  { from, nonce, fromBlock }: { from: Hex; nonce: number; fromBlock: bigint },
): Promise<Transaction | undefined> {
  let low = fromBlock;
  let high = await getBlockNumber(client, { cacheTime: 0 });
  while (low < high) {
    const middle = (low + high) / 2n;
    const count = await getTransactionCount(client, { address: from, blockNumber: middle });
    if (count > nonce) high = middle;
    else low = middle + 1n;
  }
  const { transactions } = await getBlock(client, { blockNumber: high, includeTransactions: true });
  return transactions.find((transaction) => isSameAddress(transaction.from, from) && transaction.nonce === nonce);
}

/**
 * In the mempool, if the node exposes it.
 *
 * @param isInBatch whether the call may be one of several in another transaction
 */
export async function findPending(client: Client, payload: Payload, isInBatch: boolean): Promise<Hex | undefined> {
  const { transactions } = await getBlock(client, { blockTag: "pending", includeTransactions: true });
  const call = payload.data.slice(2).toLowerCase();
  return transactions.find(
    (transaction) =>
      doesTheSame(transaction, payload) || (isInBatch && call !== "" && transaction.input.toLowerCase().includes(call)),
  )?.hash;
}

function doesTheSame(
  { from, to, input, value }: Pick<Transaction, "from" | "to" | "input" | "value">,
  payload: Payload,
): boolean {
  return (
    isSameAddress(from, payload.from) &&
    to !== null &&
    isSameAddress(to, payload.to) &&
    input.toLowerCase() === payload.data.toLowerCase() &&
    value === payload.value
  );
}
