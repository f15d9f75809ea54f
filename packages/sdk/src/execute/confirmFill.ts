import {
  BlockNotFoundError,
  type Client,
  type Hex,
  isHex,
  size,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from "viem";
import { getBlock, getChainId, getTransaction, getTransactionReceipt } from "viem/actions";

import {
  type Clock,
  compact,
  InvalidInputError,
  RequestNotFilledError,
  sleep,
  WrongChainError,
} from "@crosscall/protocol/core";
import { originChainIdOf, planSteps, type QuoteRequest, requestIdOf } from "@crosscall/protocol/quote/rules";
import type { Quote } from "@crosscall/protocol/quote";
import type { IntentStatus } from "@crosscall/protocol/request";
import type { ServiceTrust } from "../verify/trust.ts";
import type { FillProblem, VerifyFillParameters } from "../verify/verifyFill.ts";
import { askNode } from "./askNode.ts";
import type { RequestJournal } from "./requestJournal.ts";
import type { BlockEntry } from "./journalEntries.ts";

/** A fill is one transaction; the service lists few. */
const HASHES_MAX = 16;

type Look = FillProblem | "beforeQuote" | "earlier" | "notIncluded" | "filled";

const PROBLEMS: Readonly<Record<Exclude<Look, "filled">, string>> = {
  failed: "failed",
  foreignSender: "is of neither a pinned solver nor a pinned router",
  otherRequest: "does not name this order",
  otherPayment: "is not the user's payment of this request",
  callsMissing: "does not make the calls of the request",
  tooLittle: "delivers less than the minimum output",
  beforeQuote: "was included before the quote",
  earlier: "was included before the payment",
  notIncluded: "is not included",
};

/**
 * Before anything is signed.
 *
 * @throws {@link InvalidInputError} without pinned addresses, which tell the service's transactions from others
 * @throws {@link WrongChainError} when the client is of another chain than the destination
 */
export async function requireDestination(
  client: Client | undefined,
  request: () => QuoteRequest,
  trust: ServiceTrust | "service" | undefined,
): Promise<void> {
  if (client === undefined) return;
  if (trust === "service") {
    throw new InvalidInputError({
      field: "destinationClient",
      value: undefined,
      reason: "without pinned addresses, no transaction shows that the request is filled",
      hint: 'Leave out `destinationClient`, or pass pinned addresses instead of `trust: "service"`.',
    });
  }
  const { destinationChainId: expectedChainId } = request();
  const actualChainId = await askNode(expectedChainId, "its chain id", () => getChainId(client));
  if (actualChainId !== expectedChainId) {
    throw new WrongChainError({ what: "destinationClient", expectedChainId, actualChainId });
  }
}

/** Journals the latest block before the payment, so that an earlier transaction is never taken for the fill. */
export async function markDestination(client: Client, chainId: number, journal: RequestJournal): Promise<void> {
  if ((await journal.blockBefore()) !== undefined) return;
  const { number, hash } = await askNode(chainId, "its latest block", () => getBlock(client, { blockTag: "latest" }));
  await journal.setBlockBefore({ number: number.toString(), hash });
}

export interface ConfirmFillParameters {
  readonly client: Client;
  readonly request: QuoteRequest;
  readonly quote: Quote;
  readonly trust: ServiceTrust | undefined;
  readonly status: IntentStatus;
  readonly journal: RequestJournal;
  /** Of the quote, if known: a service could return an old quote again, with its fill. */
  readonly quotedAtMs: number | undefined;
  /** Hashes of the user's transactions. */
  readonly ownHashes: readonly string[];
  readonly clock: Clock;
  /** How long to wait for the inclusion. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Waits until a transaction of the status is included that fills the request.
 *
 * @throws {@link RequestNotFilledError} when none does, or none is included in time
 */
export async function confirmFill(parameters: ConfirmFillParameters): Promise<void> {
  const { client, request, quote, status, journal, quotedAtMs, clock, timeoutMs, signal } = parameters;
  const { destinationChainId: chainId } = request;
  const { verifyFill } = await import("../verify/verifyFill.ts");
  const terms: VerifyFillParameters = compact({
    request,
    quote,
    trust: parameters.trust,
    actions: planSteps(quote.steps, originChainIdOf(quote)),
    ownHashes: parameters.ownHashes,
  });
  const hashes = (status.txHashes ?? []).slice(0, HASHES_MAX);
  const before = await journal.blockBefore();
  const look = async (hash: string): Promise<Look> => {
    if (!isHex(hash) || size(hash) !== 32) return "notIncluded";
    const found = await find(client, hash);
    if (found === undefined) return "notIncluded";
    const { blockNumber } = found.receipt;
    if (before !== undefined && (await isEarlier(client, before, blockNumber))) return "earlier";
    if (quotedAtMs !== undefined && (await isBeforeQuote(client, quotedAtMs, blockNumber))) return "beforeQuote";
    return verifyFill(terms, found) ?? "filled";
  };
  const startedAt = clock.now();
  const pauseMs = Math.max(client.pollingInterval, 1);
  for (let waitedMs = 0; ; waitedMs = Math.max(waitedMs + pauseMs, clock.now() - startedAt)) {
    const looks = await askNode(chainId, "whether the request was filled", () => Promise.all(hashes.map(look)));
    if (looks.includes("filled")) return;
    if (!looks.includes("notIncluded") || waitedMs >= timeoutMs) throw unconfirmed(quote, chainId, hashes, looks);
    await sleep(pauseMs, signal, `the wait for the fill on chain ${chainId}`);
  }
}

async function find(client: Client, hash: Hex) {
  try {
    const [transaction, receipt] = await Promise.all([
      getTransaction(client, { hash }),
      getTransactionReceipt(client, { hash }),
    ]);
    return { transaction, receipt };
  } catch (error) {
    if (error instanceof TransactionNotFoundError || error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  }
}

/** For clocks that differ. */
const CLOCK_TOLERANCE_MS = 300_000;

async function isBeforeQuote(client: Client, quotedAtMs: number, blockNumber: bigint): Promise<boolean> {
  const { timestamp } = await getBlock(client, { blockNumber });
  return Number(timestamp) * 1_000 < quotedAtMs - CLOCK_TOLERANCE_MS;
}

/** After a reorg, block numbers do not compare. */
async function isEarlier(client: Client, before: BlockEntry, blockNumber: bigint): Promise<boolean> {
  if (blockNumber > BigInt(before.number)) return false;
  try {
    const { hash } = await getBlock(client, { blockNumber: BigInt(before.number) });
    return hash === before.hash;
  } catch (error) {
    if (error instanceof BlockNotFoundError) return false;
    throw error;
  }
}

function unconfirmed(
  quote: Quote,
  chainId: number,
  hashes: readonly string[],
  looks: readonly Look[],
): RequestNotFilledError {
  const reasons = looks.map((look, index) => `${hashes[index]} ${look === "filled" ? "" : PROBLEMS[look]}`);
  const details = hashes.length === 0 ? "the status names no transaction" : reasons.join("; ");
  return new RequestNotFilledError({
    requestId: requestIdOf(quote),
    status: "unconfirmed",
    details: `chain ${chainId}: ${details}`,
  });
}
