import { BlockNotFoundError, type Client, type Hex, isHex, size, TransactionNotFoundError } from "viem";
import { getBlock, getChainId, getTransaction } from "viem/actions";

import { compact, InvalidInputError, RequestNotFilledError, WrongChainError } from "@crosscall/protocol/core";
import { planSteps } from "@crosscall/protocol/quote/rules";
import type { IntentStatus } from "@crosscall/protocol/request";
import type { FillProblem, VerifyFillParameters } from "../verify/verifyFill.ts";
import type { ExecutionParameters } from "./executeStepsParameters.ts";
import { elapsed, type Execution } from "./execution.ts";
import { findReceipt } from "./findPayment.ts";
import { askNode, boundClient } from "./node.ts";
import type { BlockEntry } from "./requestJournal.ts";
import { requestOf, trustOf } from "./requireVerified.ts";

/** Maximum number of hashes. A fill is one transaction, and the service lists few transactions. */
const HASHES_MAX = 16;

type Look = FillProblem | "beforeQuote" | "earlier" | "notIncluded" | "filled";

const PROBLEMS: Readonly<Record<Exclude<Look, "filled">, string>> = {
  failed: "failed",
  foreignSender: "does not involve a pinned solver or router",
  otherRequest: "does not name this order",
  otherPayment: "is not the user's payment for this request",
  callsMissing: "does not make the request's calls",
  tooLittle: "delivers less than the minimum output",
  beforeQuote: "was included before the quote",
  earlier: "was included before the payment",
  notIncluded: "is not included",
};

/**
 * Returns the destination chain's client with a timeout for its requests, if the caller passed one. Runs before
 * anything is signed.
 * @throws {@link InvalidInputError} without pinned addresses, which identify the service's transactions
 * @throws {@link WrongChainError} when the client is not on the destination chain
 */
export async function openDestination(parameters: ExecutionParameters): Promise<Client | undefined> {
  const { destinationClient, trust, signal, timeoutMs: promptTimeoutMs } = parameters;
  if (destinationClient === undefined) return undefined;
  if (trust === "service") {
    throw new InvalidInputError({
      field: "destinationClient",
      value: "[client]",
      reason: "without pinned addresses, no transaction shows the fill",
      hint: 'Omit `destinationClient`, or pass pinned addresses instead of `trust: "service"`.',
    });
  }
  const client = boundClient(destinationClient, { signal, promptTimeoutMs });
  const { destinationChainId: expectedChainId } = requestOf(parameters);
  const actualChainId = await askNode(expectedChainId, "its chain id", () => getChainId(client));
  if (actualChainId === expectedChainId) return client;
  throw new WrongChainError({ what: "destinationClient", expectedChainId, actualChainId });
}

/** Journals the latest block before the payment, so that an earlier transaction never counts as the fill. */
export async function markDestination(client: Client, execution: Execution): Promise<void> {
  const { journal } = execution;
  if ((await journal.blockBefore()) !== undefined) return;
  const { destinationChainId: chainId } = requestOf(execution);
  const { number, hash } = await askNode(chainId, "its latest block", () => getBlock(client, { blockTag: "latest" }));
  await journal.set("destination", { number: number.toString(), hash });
}

export interface ReportedFill {
  readonly status: IntentStatus;
  /** Hashes of the user's transactions. */
  readonly ownHashes: readonly string[];
  /** Maximum time to wait for the inclusion. */
  readonly timeoutMs: number;
}

/**
 * Waits until a transaction that fills the request is included.
 * @throws {@link RequestNotFilledError} when no transaction fills the request or is included in time
 */
export async function confirmFill(
  client: Client,
  execution: Execution,
  { status, ownHashes, timeoutMs }: ReportedFill,
): Promise<void> {
  const { quote, originChainId } = execution;
  const request = requestOf(execution);
  const { destinationChainId: chainId } = request;
  const { verifyFill } = await import("../verify/verifyFill.ts");
  const actions = planSteps(quote.steps, originChainId);
  const terms: VerifyFillParameters = compact({ request, quote, trust: trustOf(execution), actions, ownHashes });
  const hashes = (status.txHashes ?? []).slice(0, HASHES_MAX);
  const before = await execution.journal.blockBefore();
  const look = async (hash: string): Promise<Look> => {
    if (!isHex(hash) || size(hash) !== 32) return "notIncluded";
    const found = await find(client, hash);
    if (found === undefined) return "notIncluded";
    const { blockNumber } = found.receipt;
    if (before !== undefined && (await isEarlier(client, before, blockNumber))) return "earlier";
    // A service could return an old quote and its fill again.
    if ("quotedAtMs" in quote && (await isBeforeQuote(client, quote.quotedAtMs, blockNumber))) return "beforeQuote";
    return verifyFill(terms, found) ?? "filled";
  };
  const what = `the wait for the fill on chain ${chainId}`;
  let looks: readonly Look[] = [];
  for await (const _waitedMs of elapsed(client, execution, { timeoutMs, what })) {
    looks = await askNode(chainId, "whether the request was filled", () => Promise.all(hashes.map(look)));
    if (looks.includes("filled")) return;
    if (!looks.includes("notIncluded")) break;
  }
  const reasons = looks.map((look, index) => `${hashes[index]} ${look === "filled" ? "" : PROBLEMS[look]}`);
  throw new RequestNotFilledError({
    requestId: execution.requestId,
    status: "unconfirmed",
    details: `chain ${chainId}: ${hashes.length === 0 ? "the status has no transaction" : reasons.join("; ")}`,
  });
}

async function find(client: Client, hash: Hex) {
  const found = await findReceipt(client, hash);
  if (found === undefined) return undefined;
  try {
    return { transaction: await getTransaction(client, { hash }), receipt: found.receipt };
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return undefined;
    throw error;
  }
}

/** Tolerance for differing clocks. */
const CLOCK_TOLERANCE_MS = 300_000;

async function isBeforeQuote(client: Client, quotedAtMs: number, blockNumber: bigint): Promise<boolean> {
  const { timestamp } = await getBlock(client, { blockNumber });
  return Number(timestamp) * 1_000 < quotedAtMs - CLOCK_TOLERANCE_MS;
}

/** Whether the block precedes the payment. Block numbers cannot be compared after a reorg. */
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
