import {
  BaseError,
  type Client,
  type Hex,
  HttpRequestError,
  TimeoutError,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";
import { getTransaction, getTransactionCount, getTransactionReceipt, sendRawTransaction } from "viem/actions";

import { sleep } from "../../core/abort.ts";
import type { Clock } from "../../core/clock.ts";
import { CrosscallError, TransactionFailedError } from "../../core/errors.ts";
import { TransactionReplacedError } from "./executionErrors.ts";
import { doesTheSame, findByNonce } from "./findTransaction.ts";
import type { JournaledTransaction } from "./journal.ts";
import type { PlannedTransaction } from "./planSteps.ts";

/** A transaction that is not included after ten minutes needs a person. */
const INCLUSION_TIMEOUT_MS = 600_000;

/** How often it is asked whether the node still has a signed transaction, which is sent again if not. */
const REBROADCAST_MS = 10_000;

/** What {@link awaitInclusion} takes. */
export interface AwaitInclusionParameters {
  readonly planned: PlannedTransaction;
  readonly entry: JournaledTransaction;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
}

/** A step's transaction in a block. */
export interface Inclusion {
  /** Another hash than the entry's where the same payment was sent again with other fees. */
  readonly txHash: Hex;
  readonly receipt: TransactionReceipt;
}

/**
 * Waits until the nonce of a transaction is used, and tells by what: by itself, by the same payment under another hash
 * (a speed-up), or by something else. Signed bytes that the node has lost are sent again.
 *
 * @throws {@link TransactionReplacedError} when something else took the nonce
 * @throws {@link TransactionFailedError} when the node fails, or ten minutes pass
 * @throws {@link AbortedError} when the signal fires
 */
export async function awaitInclusion(client: Client, parameters: AwaitInclusionParameters): Promise<Inclusion> {
  const { planned, entry, signal, clock } = parameters;
  const what = `the wait for nonce ${entry.nonce} on chain ${entry.chainId}`;
  const startedAt = clock.now();
  // The node's answers take time, too, and an interval may be none.
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

/** Sends signed bytes. A node that has them already, and one that may have taken them, are no failure. */
export async function broadcast(client: Client, signed: Hex): Promise<void> {
  try {
    await sendRawTransaction(client, { serializedTransaction: signed });
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    const isUncertain = error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError);
    // Used-up nonces are told apart where the inclusion is awaited.
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
  // The count first: a transaction that is included between both questions is then found by the second.
  const count = await getTransactionCount(client, { address: from as Hex, blockTag: "latest" });
  const own = txHash === undefined ? undefined : await findReceipt(client, txHash as Hex);
  if (own !== undefined) return own;
  if (count <= nonce) return undefined;
  const other = await findByNonce(client, { from: from as Hex, nonce, fromBlock: BigInt(fromBlock) });
  if (other === undefined) return undefined;
  if (doesTheSame(other, planned)) return findReceipt(client, other.hash);
  throw new TransactionReplacedError({ chainId: planned.chainId, nonce, replacementHash: other.hash });
}

async function findReceipt(client: Client, hash: Hex): Promise<Inclusion | undefined> {
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
