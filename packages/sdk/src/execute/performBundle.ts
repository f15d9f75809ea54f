import { type Client, type Hex, keccak256, numberToHex, stringToHex } from "viem";
import { getBlockNumber, getCallsStatus } from "viem/actions";

import { type Clock, shortReason, sleep, throwIfAborted } from "@crosscall/protocol/core";
import { isPayment, type PlannedTransaction } from "@crosscall/protocol/quote/rules";
import type { Quote } from "@crosscall/protocol/quote";
import { isObject } from "@crosscall/protocol/schema";
import type { VerifiedStep } from "../verify/verifiedSteps.ts";
import type { ServiceClient } from "../client/client.ts";
import { askNode } from "./askNode.ts";
import { kitErrorIn } from "./boundClient.ts";
import { errorLayers } from "./errorLayers.ts";
import { BundleFailedError, PaymentUnresolvedError, UserRejectedError } from "./executionErrors.ts";
import { findPaid, type Sighting } from "./findSighting.ts";
import { findReceipt, type Inclusion } from "./findTransaction.ts";
import type { RequestJournal } from "./requestJournal.ts";
import { type BatchCalls, type JournaledBatch, journaledCalls } from "./journalEntries.ts";
import type { SentTransaction } from "./performTransaction.ts";
import type { VerifyStep } from "./requireVerified.ts";
import type { StepWallet } from "./stepWallet.ts";
import { isDefinitelyUnsent, isUnsupportedMethod, isUserRejection } from "./walletErrors.ts";

/** EIP-5792. */
const DUPLICATE_ID = 5_720;

/** EIP-5792. */
const UNKNOWN_ID = 5_730;

export interface PerformBundleParameters {
  readonly service: ServiceClient;
  readonly quote: Quote;
  readonly calls: BatchCalls;
  readonly requestId: string;
  /** Called right before a wallet is prompted. */
  readonly verify: VerifyStep;
  readonly journal: RequestJournal;
  /** Whether to prompt again although an earlier payment may still be made. */
  readonly payAgain: boolean;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly pollIntervalMs: number;
  /** Called when the wallet has the bundle. */
  readonly onBundled: (bundleId: string) => void;
}

/**
 * Gets calls made at once by the wallet (EIP-5792), at most once, whatever is killed in between. The id of the bundle follows from
 * the request and the calls and is journaled before sending. A wallet may choose another id or forget it, so a bundle that the wallet
 * does not know is sent again only with `payAgain`.
 *
 * @returns `unsupported` if the wallet takes no bundle, and nothing is sent; `undefined` if it paid, but the node shows no transaction
 */
export async function performBundle(
  wallet: StepWallet,
  parameters: PerformBundleParameters,
): Promise<SentTransaction | "unsupported" | undefined> {
  const { calls, journal, payAgain, onBundled } = parameters;
  const earlier = await journal.batchOf(calls);
  const isSent = earlier !== undefined && (await isKnownBundle(wallet, earlier));
  if (earlier !== undefined && !isSent && !payAgain) {
    throw unresolved(parameters, earlier, "the wallet does not know the bundle");
  }
  const entry = isSent ? earlier : await send(wallet, parameters, earlier);
  if (entry === undefined) return "unsupported";
  onBundled(entry.id);
  const sighting = await awaitBundle(wallet, entry, parameters);
  if (sighting.kind === "seen") return undefined;
  const { txHash, receipt } = sighting;
  await journal.setBatch({ ...entry, txHash });
  return { chainId: entry.chainId, txHash, gasUsed: receipt.gasUsed };
}

/** Whether the wallet has the bundle, or its transaction is included. */
export async function isKnownBundle({ client }: StepWallet, entry: JournaledBatch): Promise<boolean> {
  if ((await findIncluded(client, entry)) !== undefined) return true;
  return (await readStatus(client, entry)) !== undefined;
}

/** Journals, then sends. */
async function send(
  wallet: StepWallet,
  parameters: PerformBundleParameters,
  earlier: JournaledBatch | undefined,
): Promise<JournaledBatch | undefined> {
  const { calls, requestId, journal, signal, clock } = parameters;
  const [{ chainId }] = calls;
  const { stepId } = calls.at(-1) ?? calls[0];
  const verified = await Promise.all(calls.map((call) => parameters.verify(call)));
  const fromBlock = (
    await askNode(chainId, "its latest block", () => getBlockNumber(wallet.client, { cacheTime: 0 }))
  ).toString();
  const entry: JournaledBatch = earlier ?? {
    kind: "bundle",
    id: bundleIdOf(requestId, calls),
    ...journaledCalls(calls),
    fromBlock,
    askedAtMs: clock.now(),
  };
  throwIfAborted(signal, `step ${stepId}`);
  await journal.setBatch(entry);
  let answer: unknown;
  try {
    // Not viem's action, which has a way around wallets without bundles: it would prompt for each call.
    answer = await wallet.client.request({ method: "wallet_sendCalls", params: [toRequest(entry, verified)] } as never);
  } catch (cause) {
    const kitError = kitErrorIn(cause);
    if (kitError?.code === "ABORTED") throw kitError;
    if (hasCode(cause, [DUPLICATE_ID])) return entry;
    // Who declines to upgrade the account may still pay.
    const isUnsupported = isUnsupportedMethod(cause);
    const isRejected = !isUnsupported && isUserRejection(cause);
    const isUnsent = isUnsupported || isRejected || isDefinitelyUnsent(cause);
    // The bundle of an earlier run may be under way in another wallet, so its calls are not sent one by one.
    if (!isUnsent || earlier !== undefined) throw unresolved(parameters, entry, shortReason(cause), cause);
    await journal.setBatch({ ...entry, isVoid: true });
    if (isRejected) throw new UserRejectedError({ stepId, cause });
    return undefined;
  }
  // Older wallets choose the id themselves.
  const named = { ...entry, id: readBundleId(answer) ?? entry.id };
  if (named.id !== entry.id) await journal.setBatch(named);
  return named;
}

/** Parameters of `wallet_sendCalls` (EIP-5792). */
function toRequest({ id, chainId, from }: JournaledBatch, calls: readonly VerifiedStep<PlannedTransaction>[]) {
  return {
    version: "2.0.0",
    id,
    chainId: numberToHex(chainId),
    from,
    atomicRequired: true,
    calls: calls.map(({ to, data, value }) => ({ to, data, ...(value === 0n ? {} : { value: numberToHex(value) }) })),
  };
}

/** Earlier drafts of EIP-5792 return the id alone. Undefined if there is none: the wallet may have the bundle under the given id. */
function readBundleId(answer: unknown): string | undefined {
  const id: unknown = isObject(answer) ? answer.id : answer;
  return typeof id === "string" && id !== "" ? id : undefined;
}

function unresolved(
  { requestId, calls }: Pick<PerformBundleParameters, "requestId" | "calls">,
  { id, chainId, from, askedAtMs }: JournaledBatch,
  reason: string,
  cause?: unknown,
): PaymentUnresolvedError {
  const { stepId } = calls.at(-1) ?? calls[0];
  return new PaymentUnresolvedError({
    requestId,
    stepId,
    chainId,
    account: from,
    what: "bundle",
    reference: id,
    askedAtMs,
    reason,
    cause,
  });
}

/** The same calls of a request have the same id in every run. */
function bundleIdOf(requestId: string, calls: BatchCalls): Hex {
  return keccak256(stringToHex(JSON.stringify([requestId, journaledCalls(calls)])));
}

/** Waits until the wallet reports the bundle's end and the chain has its transaction, or the order is paid. */
async function awaitBundle(
  { client }: StepWallet,
  entry: JournaledBatch,
  parameters: PerformBundleParameters,
): Promise<Sighting> {
  const { service, quote, requestId, calls, signal, clock, timeoutMs } = parameters;
  const { id, chainId } = entry;
  const what = `the wait for bundle ${id} on chain ${chainId}`;
  const startedAt = clock.now();
  const pauseMs = Math.max(client.pollingInterval, 1);
  const planned = calls.find(isPayment) ?? calls[0];
  const range = { chainId, fromBlock: BigInt(entry.fromBlock ?? 0), signal };
  const findOrderPaid = (asksService: boolean): Promise<Sighting | undefined> =>
    askNode(chainId, "whether the order is paid", () =>
      findPaid(client, { service, quote, requestId, planned }, { ...range, asksService }),
    );
  let asksAtMs = 0;
  for (let waitedMs = 0; ; waitedMs = Math.max(waitedMs + pauseMs, clock.now() - startedAt)) {
    const end = await look(client, entry);
    const asksService = waitedMs >= asksAtMs;
    if (asksService) asksAtMs = waitedMs + parameters.pollIntervalMs;
    // What the wallet says of a bundle is not proof: its transaction may be another one, and a call in it may have failed.
    const paid = end !== undefined || asksService ? await findOrderPaid(asksService) : undefined;
    if (paid !== undefined) return paid;
    if (end instanceof BundleFailedError) throw end;
    if (waitedMs >= timeoutMs) throw unresolved(parameters, entry, "it was not seen included");
    await sleep(Math.min(pauseMs, Math.max(timeoutMs - waitedMs, 1)), signal, what);
  }
}

/** Undefined while it is under way, as the wallet says. */
async function look(client: Client, entry: JournaledBatch): Promise<"made" | BundleFailedError | undefined> {
  if ((await findIncluded(client, entry)) !== undefined) return "made";
  const status = await readStatus(client, entry);
  // An atomic bundle has one transaction.
  const txHash = status?.receipts?.at(-1)?.transactionHash;
  if (status?.status === "failure") return failed(entry, status.statusCode, txHash);
  if (status?.status !== "success" || txHash === undefined) return undefined;
  const inclusion = await askNode(entry.chainId, "a receipt", () => findReceipt(client, txHash));
  return inclusion?.receipt.status === "reverted" ? failed(entry, 500, txHash) : "made";
}

async function findIncluded(client: Client, entry: JournaledBatch): Promise<Inclusion | undefined> {
  const { txHash } = entry;
  return txHash === undefined
    ? undefined
    : askNode(entry.chainId, "a receipt", () => findReceipt(client, txHash as Hex));
}

/** Undefined if the wallet does not know the bundle. */
async function readStatus(client: Client, entry: JournaledBatch) {
  return askNode(entry.chainId, `the status of bundle ${entry.id}`, async () => {
    try {
      return await getCallsStatus(client, { id: entry.id });
    } catch (error) {
      // A wallet without bundles has none.
      if (hasCode(error, [UNKNOWN_ID]) || isUnsupportedMethod(error)) return undefined;
      throw error;
    }
  });
}

function failed({ chainId, id }: JournaledBatch, status: number, txHash: string | undefined): BundleFailedError {
  return new BundleFailedError({ chainId, bundleId: id, status, txHash });
}

function hasCode(error: unknown, codes: readonly unknown[]): boolean {
  return errorLayers(error).some((layer) => layer.codes.some((code) => codes.includes(code)));
}
