import { type Client, type Hex, keccak256, numberToHex, stringToHex } from "viem";
import { getBlockNumber, getCallsStatus } from "viem/actions";

import { shortReason, throwIfAborted } from "@crosscall/protocol/core";
import { isPayment, type PlannedTransaction } from "@crosscall/protocol/quote/rules";
import { isObject } from "@crosscall/protocol/schema";
import type { VerifiedStep } from "../verify/verifiedSteps.ts";
import type { SentTransaction } from "./executeStepsParameters.ts";
import { elapsed, type PreparedExecution, requireSameEntry, unresolved } from "./execution.ts";
import { BundleFailedError, type PaymentUnresolvedError, UserRejectedError } from "./executionErrors.ts";
import { findPaid, findReceipt, type Inclusion, type Sighting } from "./findPayment.ts";
import { askNode, throwAborted, throwOwn } from "./node.ts";
import { type BatchCalls, type JournaledBatch, journaledCalls } from "./requestJournal.ts";
import { hasSign, isDefinitelyUnsent, isUnsupportedMethod, isUserRejection } from "./walletErrors.ts";
import type { StepWallet } from "./wallets.ts";

/** EIP-5792: the id of the bundle was already used. */
const DUPLICATE = { codes: [5_720] };

interface Bundle {
  readonly execution: PreparedExecution;
  readonly wallet: StepWallet;
  readonly calls: BatchCalls;
}

/**
 * Sends calls as one bundle of the wallet (EIP-5792), at most once, even across crashes. The bundle's id is derived
 * from the request and the calls, and journaled before sending. A wallet can choose another id or forget it, so an
 * unknown bundle is sent again only with `payAgain`.
 * @returns `unsupported` if the wallet does not support bundles and nothing was sent; `undefined` if the bundle paid,
 * but the node shows no transaction
 */
export async function performBundle(
  execution: PreparedExecution,
  wallet: StepWallet,
  calls: BatchCalls,
): Promise<SentTransaction | "unsupported" | undefined> {
  const bundle = { execution, wallet, calls };
  const { journal, payAgain, onEvent } = execution;
  const earlier = await journal.batchOf(calls);
  const isSent = earlier !== undefined && (await isKnownBundle(wallet, earlier));
  if (earlier !== undefined && !isSent && !payAgain) {
    throw bundleUnresolved(bundle, earlier, "the wallet does not know the bundle");
  }
  const entry = isSent ? earlier : await send(bundle, earlier);
  if (entry === undefined) return "unsupported";
  onEvent({ kind: "bundled", stepIds: calls.map(({ stepId }) => stepId), bundleId: entry.id });
  const sighting = await awaitBundle(bundle, entry);
  if (sighting.kind === "seen") return undefined;
  const { txHash, receipt } = sighting;
  await journal.set("batch", { ...entry, txHash });
  return { chainId: entry.chainId, txHash, gasUsed: receipt.gasUsed };
}

/** Whether the wallet has the bundle, or its transaction is included. */
export async function isKnownBundle({ client }: StepWallet, entry: JournaledBatch): Promise<boolean> {
  if ((await findIncluded(client, entry)) !== undefined) return true;
  return (await readStatus(client, entry)) !== undefined;
}

/** Journals the bundle, then sends it. */
async function send(bundle: Bundle, earlier: JournaledBatch | undefined): Promise<JournaledBatch | undefined> {
  const { execution, wallet, calls } = bundle;
  const { requestId, journal, signal, clock } = execution;
  const [{ chainId }] = calls;
  const { stepId } = calls.at(-1) ?? calls[0];
  const verified = await Promise.all(calls.map((call) => execution.verify(call)));
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
  requireSameEntry(await journal.batch(), earlier, stepId);
  await journal.set("batch", entry);
  let answer: unknown;
  try {
    // Does not use viem's action, which would prompt for each call in wallets without bundles.
    answer = await wallet.client.request({ method: "wallet_sendCalls", params: [toRequest(entry, verified)] } as never);
  } catch (cause) {
    throwAborted(cause);
    if (hasSign(cause, DUPLICATE)) return entry;
    // A user who declines the account upgrade can still pay.
    const isUnsupported = isUnsupportedMethod(cause);
    const isRejected = !isUnsupported && isUserRejection(cause);
    const isUnsent = isUnsupported || isRejected || isDefinitelyUnsent(cause);
    // Another wallet may still process an earlier run's bundle, so its calls are not sent individually.
    if (!isUnsent || earlier !== undefined) throw bundleUnresolved(bundle, entry, shortReason(cause), cause);
    await journal.set("batch", { ...entry, isVoid: true });
    if (isRejected) throw new UserRejectedError({ stepId, cause });
    return undefined;
  }
  // Older wallets ignore the passed id and choose their own.
  const named = { ...entry, id: readBundleId(answer) ?? entry.id };
  if (named.id !== entry.id) await journal.set("batch", named);
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

/**
 * Reads the bundle id, which earlier drafts of EIP-5792 return as a plain string. Undefined without an id; the passed
 * id may then apply.
 */
function readBundleId(answer: unknown): string | undefined {
  const id: unknown = isObject(answer) ? answer.id : answer;
  return typeof id === "string" && id !== "" ? id : undefined;
}

function bundleUnresolved(
  { execution, calls }: Bundle,
  { id: reference, askedAtMs }: JournaledBatch,
  reason: string,
  cause?: unknown,
): PaymentUnresolvedError {
  return unresolved(execution, calls.at(-1) ?? calls[0], { what: "bundle", reference, askedAtMs, reason, cause });
}

/** Returns the same id for the same calls of a request in every run. */
function bundleIdOf(requestId: string, calls: BatchCalls): Hex {
  return keccak256(stringToHex(JSON.stringify([requestId, journaledCalls(calls)])));
}

/** Waits until the wallet reports the bundle as complete and the chain has its transaction, or the order is paid. */
async function awaitBundle(bundle: Bundle, entry: JournaledBatch): Promise<Sighting> {
  const { execution, calls } = bundle;
  const { client } = bundle.wallet;
  const { timeoutMs } = execution;
  const { id, chainId } = entry;
  const what = `the wait for bundle ${id} on chain ${chainId}`;
  const planned = calls.find(isPayment) ?? calls[0];
  const fromBlock = BigInt(entry.fromBlock ?? 0);
  let asksAtMs = 0;
  for await (const waitedMs of elapsed(client, execution, { timeoutMs, what })) {
    const end = await look(client, entry);
    const asksService = waitedMs >= asksAtMs;
    if (asksService) asksAtMs = waitedMs + execution.pollIntervalMs;
    if (end === undefined && !asksService) continue;
    // The wallet's report is not proof: the transaction can be unrelated, and a call in it can have failed.
    const paid = await askNode(chainId, "whether the order is paid", () =>
      findPaid(client, execution, planned, { fromBlock, asksService }),
    );
    if (paid !== undefined) return paid;
    if (end instanceof BundleFailedError) throw end;
  }
  throw bundleUnresolved(bundle, entry, "it was not included in time");
}

/** Returns undefined while the wallet reports the bundle as pending. */
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

/**
 * Returns undefined if the wallet does not know the bundle, or returns no readable status. The chain then shows whether
 * the order is paid.
 */
async function readStatus(client: Client, { id }: JournaledBatch) {
  try {
    return await getCallsStatus(client, { id });
  } catch (error) {
    throwOwn(error);
    return undefined;
  }
}

function failed({ chainId, id }: JournaledBatch, status: number, txHash: string | undefined): BundleFailedError {
  return new BundleFailedError({ chainId, bundleId: id, status, txHash });
}
