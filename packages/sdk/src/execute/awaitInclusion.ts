import { BaseError, type Client, type Hex, HttpRequestError, TimeoutError } from "viem";
import { getBlockNumber, getTransaction, getTransactionCount, sendRawTransaction } from "viem/actions";

import { type Clock, CrosscallError, sleep, TimedOutError, TransactionFailedError } from "@crosscall/protocol/core";
import { isPayment, type PlannedTransaction } from "@crosscall/protocol/quote/rules";
import { kitErrorIn } from "./boundClient.ts";
import { PaymentUnresolvedError, TransactionReplacedError } from "./executionErrors.ts";
import { findSighting, type Sighting, type SightingParameters } from "./findSighting.ts";
import { contains, findByNonce, findReceipt, type Inclusion, performs } from "./findTransaction.ts";
import type { RequestJournal } from "./requestJournal.ts";
import type { JournaledTransaction } from "./journalEntries.ts";
import { readChainId } from "./walletAnswers.ts";

/** Interval for checking that the node still has a signed transaction. */
const REBROADCAST_MS = 10_000;

/** A reorganization may move a payment to a block that was searched before. */
const REORG_BLOCKS = 64n;

export interface AwaitInclusionParameters extends SightingParameters {
  readonly journal: RequestJournal;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Between two questions to the service. */
  readonly pollIntervalMs: number;
}

/**
 * Waits until the step is done: by the transaction, by the same payment under another hash, or by whatever else paid the order. Signed
 * bytes that the node lost are sent again.
 *
 * @throws {@link TransactionReplacedError} when something else used the nonce of a transaction that is known to have it
 * @throws {@link PaymentUnresolvedError} when a payment is not seen in time; {@link TransactionFailedError} for another step
 */
export async function awaitInclusion(
  client: Client,
  parameters: AwaitInclusionParameters,
): Promise<Sighting & { readonly nonce: number }> {
  const { planned, journal, signal, clock, timeoutMs } = parameters;
  let { entry } = parameters;
  const what = `the wait for the transaction of step ${planned.stepId} on chain ${entry.chainId}`;
  const startedAt = clock.now();
  // Responses take time too, and the interval may be zero.
  const pauseMs = Math.max(client.pollingInterval, 1);
  let [sendsAtMs, asksAtMs, fromBlock] = [0, 0, BigInt(entry.fromBlock)];
  try {
    for (let waitedMs = 0; ; waitedMs = Math.max(waitedMs + pauseMs, clock.now() - startedAt)) {
      const { inclusion, carrier, sent, isNonceUsed } = await look(client, planned, entry);
      if (inclusion !== undefined) return { kind: "included", ...inclusion, nonce: entry.nonce };
      const isHidden = sent === undefined;
      entry = await recordNonce({ planned, journal, entry }, sent);
      // Signed bytes are included or their nonce is used by something else; a wallet may do anything.
      if (isNonceUsed || (sent?.isOwn !== true && entry.signed === undefined)) {
        const head = await getBlockNumber(client, { cacheTime: 0 });
        const asksService = waitedMs >= asksAtMs;
        if (asksService) asksAtMs = waitedMs + parameters.pollIntervalMs;
        const sighting = await findSighting(client, { ...parameters, entry }, { fromBlock, asksService });
        if (sighting?.kind === "seen" && carrier !== undefined) {
          return { kind: "included", ...carrier, nonce: entry.nonce };
        }
        if (sighting !== undefined) return { ...sighting, nonce: entry.nonce };
        if (isNonceUsed) await requireNoOther(client, planned, entry, journal);
        if (head - REORG_BLOCKS > fromBlock) fromBlock = head - REORG_BLOCKS;
      }
      if (waitedMs >= timeoutMs) break;
      if (entry.signed !== undefined && isHidden && !isNonceUsed && waitedMs >= sendsAtMs) {
        await broadcast(client, entry.signed as Hex);
        sendsAtMs = waitedMs + REBROADCAST_MS;
      }
      await sleep(Math.min(pauseMs, Math.max(timeoutMs - waitedMs, 1)), signal, what);
    }
  } catch (error) {
    if (error instanceof CrosscallError) throw error;
    const kitError = kitErrorIn(error);
    if (kitError?.code === "ABORTED") throw kitError;
    throw notSeen(parameters, entry, error);
  }
  throw notSeen(parameters, entry, undefined);
}

/** Bytes that the node already has, or may have accepted, are not an error. */
export async function broadcast(client: Client, signed: Hex): Promise<void> {
  try {
    await sendRawTransaction(client, { serializedTransaction: signed });
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    const kitError = kitErrorIn(error);
    if (kitError?.code === "ABORTED") throw kitError;
    const isUncertain = error.walk(
      (cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError || cause instanceof TimedOutError,
    );
    // A used nonce is resolved while waiting for inclusion.
    const isThere = /already (known|imported|in)|known transaction|nonce.*too low|nonce.*(used|lower)/iu.test(
      `${error.details} ${error.message}`,
    );
    if (isUncertain === null && !isThere) throw error;
  }
}

/** The transaction with the hash that a wallet returned, if it performs the step. */
interface Sent {
  readonly nonce: number;
  /** False if it only contains the call, as the transactions of contract accounts and relayers do. */
  readonly isOwn: boolean;
}

/** Undefined if the node does not know the transaction, or it does something else: a wallet can return any hash. */
export async function findSent(
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

interface Look {
  readonly inclusion: Inclusion | undefined;
  /** A transaction that contains the call and succeeded. The call in it may have failed. */
  readonly carrier: Inclusion | undefined;
  readonly sent: Sent | undefined;
  /** Whether a later state of the account has the nonce of the transaction behind it, but the node has no receipt. */
  readonly isNonceUsed: boolean;
}

async function look(client: Client, planned: PlannedTransaction, entry: JournaledTransaction): Promise<Look> {
  const { from, nonce, txHash, fromBlock } = entry;
  // Count first: a transaction that is included in between is found by the second call.
  const count = await getTransactionCount(client, { address: from as Hex, blockTag: "latest" });
  const sent = await findSent(client, planned, entry);
  const isSearched = sent !== undefined || entry.signed !== undefined;
  const receipt = isSearched && txHash !== undefined ? await findReceipt(client, txHash as Hex) : undefined;
  const isOwn = sent?.isOwn === true || entry.signed !== undefined;
  if (receipt !== undefined && isOwn) return { inclusion: receipt, carrier: undefined, sent, isNonceUsed: true };
  const carrier = receipt?.receipt.status === "success" ? receipt : undefined;
  if (count <= nonce) return { inclusion: undefined, carrier, sent, isNonceUsed: false };
  const other = await findByNonce(client, { from: from as Hex, nonce, fromBlock: BigInt(fromBlock) });
  const isSame = other !== undefined && performs(other, planned);
  return { inclusion: isSame ? await findReceipt(client, other.hash) : undefined, carrier, sent, isNonceUsed: true };
}

/** @throws {@link TransactionReplacedError} when the transaction can no longer be included */
async function requireNoOther(
  client: Client,
  planned: PlannedTransaction,
  entry: JournaledTransaction,
  journal: RequestJournal,
): Promise<void> {
  // A wallet that chooses its nonce may have used another one for the step.
  if (entry.signed === undefined && entry.isNonceKnown !== true) return;
  const { from, nonce, fromBlock } = entry;
  const other = await findByNonce(client, { from: from as Hex, nonce, fromBlock: BigInt(fromBlock) });
  if (other === undefined || performs(other, planned) || contains(other, planned)) return;
  // A user may switch the wallet to another chain meanwhile: nonces of the account there say nothing.
  if (readChainId(await client.request({ method: "eth_chainId" })) !== entry.chainId) return;
  await journal.setTransaction(planned.position, { ...entry, isVoid: true });
  throw new TransactionReplacedError({ chainId: planned.chainId, nonce, replacementHash: other.hash });
}

/** A wallet may choose another nonce than it was asked for: only the node shows it. */
export async function recordNonce(
  { planned, journal, entry }: Pick<AwaitInclusionParameters, "planned" | "journal" | "entry">,
  sent: Sent | undefined,
): Promise<JournaledTransaction> {
  if (entry.signed !== undefined || entry.isNonceKnown === true || sent?.isOwn !== true) return entry;
  const known = { ...entry, nonce: sent.nonce, isNonceKnown: true };
  await journal.setTransaction(planned.position, known);
  return known;
}

function notSeen(
  { planned, requestId }: Pick<SightingParameters, "planned" | "requestId">,
  { chainId, from, nonce, txHash, askedAtMs }: JournaledTransaction,
  cause: unknown,
): PaymentUnresolvedError | TransactionFailedError {
  const detail = cause instanceof BaseError ? `: ${cause.shortMessage}` : "";
  if (isPayment(planned)) {
    return new PaymentUnresolvedError({
      requestId,
      stepId: planned.stepId,
      chainId,
      account: from,
      what: "transaction",
      reference: txHash,
      askedAtMs,
      reason: `it was not seen included${detail}`,
      cause,
    });
  }
  return new TransactionFailedError({
    message: `the transaction with nonce ${nonce} on chain ${chainId} was sent, but not seen included${detail}`,
    hint: "Do not quote again: execute the same quote with the same journal, which looks it up first.",
    chainId,
    ...(txHash === undefined ? {} : { txHash }),
    cause,
  });
}
