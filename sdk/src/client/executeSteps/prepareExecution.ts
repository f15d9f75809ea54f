import { BaseError, type Hex } from "viem";
import { getBlock } from "viem/actions";

import type { Clock } from "../../core/clock.ts";
import { ChainError, CrosscallError, UnsupportedStepError } from "../../core/errors.ts";
import type { Quote } from "../../protocol/quote/quote.ts";
import type { ReceivedQuote } from "../../protocol/quote/quoteFreshness.ts";
import { isPresent } from "../../protocol/schema/readResponse.ts";
import type { ServiceClient } from "../client.ts";
import { kitErrorIn } from "./boundClient.ts";
import { type CallBatch, chooseBatch, requireGasless } from "./callBatch.ts";
import { requireCallbacks } from "./delegate.ts";
import type { ExecuteStepsParameters, ExecutionEvent } from "./executeStepsParameters.ts";
import { findPending, findReceipt } from "./awaitInclusion.ts";
import { requote } from "./freshQuote.ts";
import { type ExecutionJournal, RequestJournal } from "./journal.ts";
import { requireSignable, requireSigner } from "./performSignature.ts";
import {
  isPayment,
  originChainIdOf,
  type PlannedStep,
  type PlannedTransaction,
  planSteps,
  requestIdOf,
} from "../../protocol/quote/planSteps.ts";
import { reportedStatus } from "./reportedStatus.ts";
import { requireFunds } from "./requireFunds.ts";
import {
  refuseForeign,
  requestOf,
  requireSimulated,
  requireVerified,
  type RequireVerifiedParameters,
} from "./requireVerified.ts";
import { QuoteRefusedError } from "../../verify/quoteRefusedError.ts";
import type { StepWallet } from "./stepWallet.ts";
import type { StepWallets } from "./wallets.ts";

const LOOK_BACK_BLOCKS = 999n;

/** Shows the time between blocks. */
const SAMPLE_BLOCKS = 10n;

/** For clocks that differ. */
const CLOCK_TOLERANCE_MS = 60_000;

export interface PreparedExecution {
  /** The given quote, or its replacement. */
  readonly quote: Quote;
  readonly journal: RequestJournal;
  /** None if the request is paid already. */
  readonly actions: readonly PlannedStep[];
  /** The first of the actions, if they are performed at once. */
  readonly batch: CallBatch | undefined;
  /** Whether the payment began in an earlier run, or was made. */
  readonly isUnderWay: boolean;
  /** Whether the simulation of the quote passed. */
  readonly isSimulated: boolean;
}

/** A quote that can be performed. */
type OpenQuote = Pick<PreparedExecution, "quote" | "journal" | "actions">;

export interface PrepareParameters extends Omit<ExecuteStepsParameters, "wallets" | "journal"> {
  readonly wallets: StepWallets;
  readonly journal: ExecutionJournal;
  readonly clock: Clock;
  readonly onEvent: (event: ExecutionEvent) => void;
}

/**
 * Determines the remaining actions of a quote, requotes if it is too old, and checks that everything can be performed.
 */
export async function prepareExecution(
  client: ServiceClient,
  parameters: PrepareParameters,
): Promise<PreparedExecution> {
  const { latest, requestIds } = await latestQuote(parameters);
  // Errors from here on must name the quote that may be paid.
  if (latest !== parameters.quote) parameters.onEvent({ kind: "requoted", quote: latest });
  const given = await openQuote(client, latest, parameters);
  // A quote from the journal was recorded when it replaced the given one.
  if (latest === parameters.quote) await given.journal.requireSameSteps(given.actions, orderIdOf(latest));
  if (await isPaid(client, given, parameters)) {
    return { ...given, actions: [], batch: undefined, isUnderWay: true, isSimulated: false };
  }
  await requireNoLivePermits(client, given, parameters);
  const fresh = await replaceStale(client, given, { ...parameters, requestIds });
  const prepared = fresh ?? given;
  const isUnderWay = fresh === undefined && (await given.journal.hasBegun(given.actions.filter(isPayment)));
  // A payment that began is verified again before a wallet is prompted; its deadlines may have passed since.
  const mustVerify = parameters.trust !== "service" && !isUnderWay;
  if (mustVerify && fresh === undefined) await requireVerified({ ...parameters, quote: given.quote });
  const batch = await chooseBatch(prepared, parameters);
  // The gas of calls that are made at once may be paid by others.
  const paysGas = batch === undefined;
  await requireAllFunds(prepared, paysGas, parameters);
  if (!isUnderWay) await requireSimulated({ ...parameters, quote: prepared.quote, paysGas });
  return { ...prepared, batch, isUnderWay, isSimulated: !isUnderWay };
}

export function orderIdOf({ protocol }: Quote): string | null | undefined {
  return protocol?.v2?.orderId;
}

/** The quote that replaced this one in an earlier run: the given one must not be paid too. */
export async function latestQuote({ quote, journal }: Pick<PrepareParameters, "quote" | "journal">) {
  let latest: Quote = quote;
  const seen = new Set<string>();
  for (;;) {
    const requestId = requestIdOf(latest);
    // A service may reuse the id for a fresh quote.
    if (seen.has(requestId)) return { latest, requestIds: seen };
    seen.add(requestId);
    const successor = await new RequestJournal(journal, requestId).successor();
    if (successor === undefined) return { latest, requestIds: seen };
    latest = successor;
  }
}

/** Checks that need neither the service nor balances. */
async function openQuote(
  client: ServiceClient,
  quote: Quote,
  parameters: PrepareParameters & Pick<RequireVerifiedParameters, "knownRequestIds">,
): Promise<OpenQuote> {
  const actions = planSteps(quote.steps, originChainIdOf(quote));
  const journal = new RequestJournal(parameters.journal, requestIdOf(quote));
  await journal.requireOwnOrder(orderIdOf(quote));
  await refuseForeign({ ...parameters, quote });
  await requirePerformable(client, actions, quote, parameters);
  if (parameters.gasless === true) {
    const { originChainId, destinationChainId } = requestOf({ ...parameters, quote });
    await requireGasless(client, actions, { ...parameters, isSameChain: originChainId === destinationChainId });
  }
  return { quote, journal, actions };
}

/** Requires a wallet or a callback for each action. */
export async function requirePerformable(
  client: ServiceClient,
  actions: readonly PlannedStep[],
  quote: Quote,
  { wallets, ...callbacks }: Pick<PrepareParameters, "wallets" | "onExchangeAction" | "onSvmTransaction">,
): Promise<void> {
  requireCallbacks(actions, callbacks);
  for (const action of actions) {
    if (action.kind !== "signature") continue;
    requireSigner(wallets.signer(originChainIdOf(quote)));
    requireSignable(client, action);
  }
  for (const action of actions) {
    requireSendable(action);
    if (action.kind === "transaction") await wallets.on(action.chainId, action.from);
  }
}

/** An authorization is never left out, since the transaction would do something else without it. */
function requireSendable({ kind, stepId, ...action }: PlannedStep): void {
  if (kind === "batch") throw new UnsupportedStepError({ stepId, kind });
  if ("authorizationList" in action) throw new UnsupportedStepError({ stepId, kind: "authorizationList" });
}

/**
 * By service and chain. Journaled actions continue, unless their outcome is unknown: a wallet that chooses its nonce may have paid
 * under another one.
 *
 * @throws {@link QuoteRefusedError} when this journal did not begin the payment and its order has ended: nothing would be paid
 */
async function isPaid(client: ServiceClient, open: OpenQuote, parameters: PrepareParameters): Promise<boolean> {
  const { quote, journal, actions } = open;
  const { wallets, signal, onEvent } = parameters;
  const payments = actions.filter(isPayment);
  const batch = await journal.batch();
  if (batch?.kind === "bundle") {
    const { isKnownBundle } = await import("./performBundle.ts");
    if (await isKnownBundle(await wallets.on(batch.chainId, batch.from), batch)) return false;
  }
  const hasBegun = await journal.hasBegun(payments);
  if (hasBegun && !(await journal.isUnclear(payments))) return false;
  const isOwn = hasBegun || (await journal.isFound());
  const requestId = requestIdOf(quote);
  const found = async (txHash?: Hex): Promise<true> => {
    if (!isOwn) await journal.setFound();
    onEvent({ kind: "found", requestId, ...(txHash === undefined ? {} : { txHash }) });
    return true;
  };
  const reported = await reportedStatus(client, requestId, signal).catch((error: unknown) => {
    // The chain may know more than a service that does not respond.
    if (isOwn && error instanceof CrosscallError && error.code !== "ABORTED") return undefined;
    throw error;
  });
  const isOver = reported !== undefined && ["success", "refund", "failure"].includes(reported.status);
  if (isOver && !isOwn) throw usedQuote(`an order that ended with status ${reported.status}`, open);
  if (reported !== undefined) return found();
  for (const payment of payments) {
    if (payment.kind !== "transaction") continue;
    const wallet = await wallets.on(payment.chainId, payment.from);
    const fromBlock = await firstBlock(wallet, payment, open);
    const txHash = await lookUp(wallet, payment, { quote, fromBlock, isInBatch: batch !== undefined });
    if (txHash === undefined) continue;
    if (!isOwn && (await isOlder(wallet, txHash, quote))) {
      throw usedQuote(`an order that was paid before the quote in transaction ${txHash}`, open);
    }
    return found(txHash);
  }
  return false;
}

/** A service could return an old quote again: its success would be that of an earlier payment. */
function usedQuote(seen: string, { quote }: OpenQuote): QuoteRefusedError {
  const claim = {
    code: "REQUEST_NEW",
    path: "steps[0].requestId",
    isMet: false,
    expected: "an order that is not paid",
    seen,
  } as const;
  const report = { verdict: "refused", items: [], claims: [claim], warnings: [] } as const;
  return new QuoteRefusedError({ requestId: requestIdOf(quote), report });
}

/** Of a payment that began; otherwise the first since the quote, of the latest thousand. */
async function firstBlock(
  { client }: StepWallet,
  payment: PlannedTransaction,
  { quote, journal }: OpenQuote,
): Promise<bigint> {
  const begun = (await journal.transaction(payment))?.fromBlock ?? (await journal.batch())?.fromBlock;
  if (begun !== undefined) return BigInt(begun);
  try {
    const latest = await getBlock(client, { blockTag: "latest" });
    const oldest = latest.number > LOOK_BACK_BLOCKS ? latest.number - LOOK_BACK_BLOCKS : 0n;
    if (!("quotedAtMs" in quote) || latest.number < SAMPLE_BLOCKS) return oldest;
    const sample = await getBlock(client, { blockNumber: latest.number - SAMPLE_BLOCKS });
    const [span, start] = [Number(latest.timestamp - sample.timestamp), (quote as ReceivedQuote).quotedAtMs / 1_000];
    const age = Math.max(Number(latest.timestamp) - start + CLOCK_TOLERANCE_MS / 1_000, 0);
    const blocks = span === 0 ? LOOK_BACK_BLOCKS : BigInt(Math.ceil((2 * age * Number(SAMPLE_BLOCKS)) / span));
    return blocks < latest.number - oldest ? latest.number - blocks : oldest;
  } catch (cause) {
    if (!(cause instanceof BaseError)) throw cause;
    throw (
      kitErrorIn(cause) ??
      new ChainError({
        message: `chain ${payment.chainId} did not return whether the deposit was made: ${cause.shortMessage}`,
        hint: "Try again, or use another node.",
        chainId: payment.chainId,
        cause,
      })
    );
  }
}

interface LookUpParameters {
  readonly quote: Quote;
  readonly fromBlock: bigint;
  readonly isInBatch: boolean;
}

async function lookUp(
  { client }: StepWallet,
  payment: PlannedTransaction,
  { quote, fromBlock, isInBatch }: LookUpParameters,
): Promise<Hex | undefined> {
  const { findDeposit } = await import("./findPayment.ts");
  const deposited = await findDeposit(client, quote, { chainId: payment.chainId, fromBlock });
  // Pending transactions are checked too, if the node exposes them.
  return deposited ?? (await findPending(client, payment, isInBatch).catch(() => undefined));
}

/** Whether a transaction was included before a quote was received. */
async function isOlder({ client }: StepWallet, hash: Hex, quote: Quote | ReceivedQuote): Promise<boolean> {
  if (!("quotedAtMs" in quote)) return false;
  const inclusion = await findReceipt(client, hash);
  if (inclusion === undefined) return false;
  const { timestamp } = await getBlock(client, { blockNumber: inclusion.receipt.blockNumber });
  return Number(timestamp) * 1_000 < quote.quotedAtMs - CLOCK_TOLERANCE_MS;
}

/**
 * Before a payment begins. A gasless batch of this request that the service refused is void from then on.
 *
 * @throws {@link PaymentUnresolvedError} when an earlier permit or batch can still be used
 */
async function requireNoLivePermits(
  service: ServiceClient,
  { quote, journal, actions }: OpenQuote,
  { wallets, gasless = false, payAgain = false, ...parameters }: PrepareParameters,
): Promise<void> {
  const batch = await journal.batch();
  const isLeft = batch?.kind === "gasless" && batch.isRefused === true && !gasless;
  const payment = actions.find(isPayment);
  if (payment === undefined || (!isLeft && (await journal.hasBegun([payment])))) return;
  const chainId = originChainIdOf(quote);
  const currency = quote.details?.currencyIn?.currency?.address;
  const account = payment.kind === "transaction" ? payment.from : wallets.signer(chainId)?.address;
  if (!payAgain && account !== undefined && isPresent(currency)) {
    const key = `authorizations/${chainId}/${account.toLowerCase()}`;
    if ((await parameters.journal.get(key)) !== undefined) {
      const { LiveAuthorizations, requireNoneLive } = await import("./liveAuthorizations.ts");
      const { client } = await wallets.on(chainId, account);
      const authorizations = new LiveAuthorizations(parameters.journal, { chainId, account });
      await requireNoneLive(client, authorizations, {
        requestId: requestIdOf(quote),
        repeats: gasless || payment.kind === "signature",
        currency,
        statusOf: async (accepted) => (await reportedStatus(service, accepted, parameters.signal))?.status,
      });
    }
  }
  if (isLeft) await journal.setBatch({ ...batch, isVoid: true });
}

/** Unless payment has begun. */
async function replaceStale(
  client: ServiceClient,
  { quote, journal, actions }: OpenQuote,
  { requestIds, ...parameters }: PrepareParameters & { readonly requestIds: ReadonlySet<string> },
): Promise<OpenQuote | undefined> {
  const { freshness = {}, onEvent } = parameters;
  if (freshness === false || (await journal.hasBegun(actions.filter(isPayment)))) return undefined;
  const { clock, signal } = parameters;
  const fresh = await requote(client, quote, freshness, { clock, signal });
  if (fresh === undefined) return undefined;
  const knownRequestIds = await otherRequest(fresh, parameters.journal, requestIds);
  const opened = await openQuote(client, fresh, { ...parameters, knownRequestIds });
  if (parameters.trust !== "service") await requireVerified({ ...parameters, quote: fresh, knownRequestIds });
  // Journaled first: a later run with the old quote must find the one that is paid.
  await journal.setSuccessor(fresh);
  onEvent({ kind: "requoted", quote: fresh });
  return opened;
}

/**
 * The id of a fresh quote, if the journal has steps of another request under it: they would count as performed, and that
 * request's success as the one of this.
 *
 * @param requestIds of the quotes that it replaces, which a service may reuse
 */
async function otherRequest(
  fresh: Quote,
  journal: ExecutionJournal,
  requestIds: ReadonlySet<string>,
): Promise<readonly string[]> {
  const requestId = requestIdOf(fresh);
  if (requestIds.has(requestId)) return [];
  const actions = planSteps(fresh.steps, originChainIdOf(fresh));
  return (await new RequestJournal(journal, requestId).isUsed(actions)) ? [requestId] : [];
}

/** Only for actions that were not begun: others may have spent the funds. */
async function requireAllFunds(
  { quote, journal, actions }: OpenQuote,
  paysGas: boolean,
  { wallets, limits }: PrepareParameters,
) {
  const byChain = new Map<number, PlannedTransaction[]>();
  for (const action of actions) {
    if (action.kind !== "transaction" || (await journal.hasBegun([action]))) continue;
    byChain.set(action.chainId, [...(byChain.get(action.chainId) ?? []), action]);
  }
  for (const [chainId, transactions] of byChain) {
    const [{ from }] = transactions as [PlannedTransaction];
    const wallet = await wallets.on(chainId, from);
    await requireFunds(wallet, chainId, transactions, {
      quote,
      hasApproval: hasApproval(actions, chainId),
      paysGas,
      gasLimits: limits,
    });
  }
}

function hasApproval(actions: readonly PlannedStep[], chainId: number): boolean {
  return actions.some(
    (action) => action.kind === "transaction" && action.stepId === "approve" && action.chainId === chainId,
  );
}
