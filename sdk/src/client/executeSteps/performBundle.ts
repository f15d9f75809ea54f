import { BaseError, type Client, defineChain, type Hex, keccak256, stringToHex } from "viem";
import { getCallsStatus, sendCalls } from "viem/actions";

import { sleep, throwIfAborted } from "../../core/abort.ts";
import type { Clock } from "../../core/clock.ts";
import { ChainError, TransactionFailedError } from "../../core/errors.ts";
import { shortReason } from "../../core/shortReason.ts";
import { findReceipt, type Inclusion, INCLUSION_TIMEOUT_MS } from "./awaitInclusion.ts";
import { BundleFailedError, UserRejectedError } from "./executionErrors.ts";
import { type BatchCalls, type JournaledBatch, journaledCalls, type RequestJournal } from "./journal.ts";
import { isUserRejection } from "./performSignature.ts";
import type { SentTransaction } from "./performTransaction.ts";
import type { StepWallet } from "./stepWallet.ts";

/** EIP-5792. */
const DUPLICATE_ID = 5_720;

/** EIP-5792. */
const UNKNOWN_ID = 5_730;

/**
 * The wallet sends nothing: it lacks the method, its parameters or the chain, or the bundle is too large, or the user
 * declined to upgrade the account, or it would not be atomic (EIP-1474, EIP-1193, EIP-5792).
 */
const UNSUPPORTED: readonly unknown[] = [-32_601, -32_602, -32_004, 4_200, 5_700, 5_710, 5_740, 5_750, 5_760];

export interface PerformBundleParameters {
  readonly calls: BatchCalls;
  readonly requestId: string;
  readonly journal: RequestJournal;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  /** Called when the wallet has the bundle. */
  readonly onBundled: (bundleId: string) => void;
}

/**
 * Gets calls made at once by the wallet (EIP-5792), at most once, whatever is killed in between. The id of the bundle
 * follows from the request and the calls and is journaled before sending: a wallet refuses an id that it has.
 *
 * @returns undefined if the wallet takes no bundle; nothing is sent then
 */
export async function performBundle(
  wallet: StepWallet,
  parameters: PerformBundleParameters,
): Promise<SentTransaction | undefined> {
  const { calls, journal, onBundled } = parameters;
  const earlier = await journal.batchOf(calls);
  const isSent = earlier !== undefined && (await isKnownBundle(wallet, earlier));
  const entry = isSent ? earlier : await send(wallet, parameters, earlier);
  if (entry === undefined) return undefined;
  onBundled(entry.id);
  const { txHash, receipt } = await awaitBundle(wallet, entry, parameters);
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
  { calls, requestId, journal, signal }: PerformBundleParameters,
  earlier: JournaledBatch | undefined,
): Promise<JournaledBatch | undefined> {
  const [{ chainId }] = calls;
  const { stepId } = calls.at(-1) ?? calls[0];
  const entry: JournaledBatch = earlier ?? {
    kind: "bundle",
    id: bundleIdOf(requestId, calls),
    ...journaledCalls(calls),
  };
  throwIfAborted(signal, `step ${stepId}`);
  await journal.setBatch(entry);
  try {
    const { id } = await sendCalls(wallet.client, {
      account: wallet.address,
      chain: chainOf(chainId),
      calls: calls.map(({ to, data, value }) => ({ to, data, value })),
      id: entry.id,
      forceAtomic: true,
    });
    if (id === entry.id) return entry;
    // Older wallets choose the id themselves.
    const renamed = { ...entry, id };
    await journal.setBatch(renamed);
    return renamed;
  } catch (cause) {
    const code = codeOf(cause, [DUPLICATE_ID, ...UNSUPPORTED]);
    if (code === DUPLICATE_ID) return entry;
    // Who declines to upgrade the account may still pay.
    const isRejected = code === undefined && isUserRejection(cause);
    // The bundle of an earlier run may be under way in another wallet, so its calls are not sent one by one.
    const isUnsent = earlier === undefined && (isRejected || code !== undefined);
    if (isUnsent) await journal.setBatch({ ...entry, isDeclined: true });
    if (isRejected) throw new UserRejectedError({ stepId, cause });
    if (isUnsent) return undefined;
    throw new TransactionFailedError({
      message: `a bundle of ${calls.length} calls on chain ${chainId} could not be sent: ${shortReason(cause)}`,
      hint: "Remove the reason, and execute the same quote with the same journal and the same wallet again.",
      chainId,
      cause,
    });
  }
}

/** The same calls of a request have the same id in every run. */
function bundleIdOf(requestId: string, calls: BatchCalls): Hex {
  return keccak256(stringToHex(JSON.stringify([requestId, journaledCalls(calls)])));
}

/** The client may be configured for another chain than the one that its wallet is on. */
function chainOf(id: number) {
  const nativeCurrency = { name: "", symbol: "", decimals: 18 };
  return defineChain({ id, name: `chain ${id}`, nativeCurrency, rpcUrls: { default: { http: [] } } });
}

/** Waits until the wallet reports the bundle's end, and the chain has its transaction. */
async function awaitBundle(
  { client }: StepWallet,
  entry: JournaledBatch,
  { signal, clock }: PerformBundleParameters,
): Promise<Inclusion> {
  const { id, chainId } = entry;
  const what = `the wait for bundle ${id} on chain ${chainId}`;
  const startedAt = clock.now();
  const pauseMs = Math.max(client.pollingInterval, 1);
  for (
    let waitedMs = 0;
    waitedMs < INCLUSION_TIMEOUT_MS;
    waitedMs = Math.max(waitedMs + pauseMs, clock.now() - startedAt)
  ) {
    const inclusion = (await findIncluded(client, entry)) ?? (await look(client, entry));
    if (inclusion?.receipt.status === "success") return inclusion;
    if (inclusion !== undefined) throw failed(entry, 500, inclusion.txHash);
    await sleep(pauseMs, signal, what);
  }
  throw new TransactionFailedError({
    message: `bundle ${id} on chain ${chainId} was sent, but not seen included`,
    hint: "Do not quote again: execute the same quote with the same journal, which looks it up first.",
    chainId,
  });
}

/** Undefined while it is under way. */
async function look(client: Client, entry: JournaledBatch): Promise<Inclusion | undefined> {
  const status = await readStatus(client, entry);
  // An atomic bundle has one transaction.
  const txHash = status?.receipts?.at(-1)?.transactionHash;
  if (status?.status === "failure") throw failed(entry, status.statusCode, txHash);
  if (status?.status !== "success" || txHash === undefined) return undefined;
  return onChain(entry, () => findReceipt(client, txHash));
}

async function findIncluded(client: Client, entry: JournaledBatch): Promise<Inclusion | undefined> {
  const { txHash } = entry;
  return txHash === undefined ? undefined : onChain(entry, () => findReceipt(client, txHash as Hex));
}

/** Undefined if the wallet does not know the bundle. */
async function readStatus(client: Client, entry: JournaledBatch) {
  return onChain(entry, async () => {
    try {
      return await getCallsStatus(client, { id: entry.id });
    } catch (error) {
      // A wallet without bundles has none.
      if (codeOf(error, [UNKNOWN_ID, ...UNSUPPORTED]) !== undefined) return undefined;
      throw error;
    }
  });
}

function failed({ chainId, id }: JournaledBatch, status: number, txHash: string | undefined): BundleFailedError {
  return new BundleFailedError({ chainId, bundleId: id, status, txHash });
}

/** Wallet errors are often wrapped, so causes are checked too. */
function codeOf(error: unknown, codes: readonly unknown[]): unknown {
  for (let cause = error; typeof cause === "object" && cause !== null; cause = "cause" in cause ? cause.cause : null) {
    if ("code" in cause && codes.includes(cause.code)) return cause.code;
  }
  return undefined;
}

async function onChain<Result>({ chainId, id }: JournaledBatch, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (cause) {
    if (!(cause instanceof BaseError)) throw cause;
    throw new ChainError({
      message: `the wallet did not return what became of bundle ${id} on chain ${chainId}: ${cause.shortMessage}`,
      hint: "Execute the same quote with the same journal and the same wallet again.",
      chainId,
      cause,
    });
  }
}
