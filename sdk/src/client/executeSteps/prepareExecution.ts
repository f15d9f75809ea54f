import { BaseError, type Client, type Hex, parseAbi } from "viem";
import { getBlockNumber, getLogs } from "viem/actions";

import { parseServiceAddress } from "../../chains/address.ts";
import type { Clock } from "../../core/clock.ts";
import { ChainError, ServiceError, UnsupportedStepError } from "../../core/errors.ts";
import type { Quote } from "../../protocol/quote/quote.ts";
import { isPresent } from "../../protocol/schema/readResponse.ts";
import type { ServiceClient } from "../client.ts";
import { getStatus } from "../getStatus.ts";
import { type CallBatch, chooseBatch, requireGasless } from "./callBatch.ts";
import { requireCallbacks } from "./delegate.ts";
import type { ExecuteStepsParameters, ExecutionEvent } from "./executeStepsParameters.ts";
import { findPending } from "./awaitInclusion.ts";
import { requote } from "./freshQuote.ts";
import { type ExecutionJournal, RequestJournal } from "./journal.ts";
import { requireSignable, requireSigner } from "./performSignature.ts";
import {
  originChainIdOf,
  type PlannedStep,
  type PlannedTransaction,
  planSteps,
  requestIdOf,
} from "../../protocol/quote/planSteps.ts";
import { requireFunds } from "./requireFunds.ts";
import {
  refuseForeign,
  requestOf,
  requireSimulated,
  requireVerified,
  type RequireVerifiedParameters,
} from "./requireVerified.ts";
import type { StepWallet } from "./stepWallet.ts";
import type { StepWallets } from "./wallets.ts";

const DEPOSIT_EVENTS = parseAbi([
  "event RelayNativeDeposit(address from, uint256 amount, bytes32 id)",
  "event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)",
]);

/** The service has indexed older deposits. */
const LOOK_BACK_BLOCKS = 1_000n;

/** By the depository's event with the quote's orderId, in the latest thousand blocks. */
async function findDeposit(client: Client, { protocol }: Quote): Promise<Hex | undefined> {
  // A same-chain swap has no order and no event.
  const { orderId, paymentDetails } = protocol?.v2 ?? {};
  if (!isPresent(orderId) || !isPresent(paymentDetails?.depository)) return undefined;
  const latest = await getBlockNumber(client, { cacheTime: 0 });
  const logs = await getLogs(client, {
    address: parseServiceAddress(paymentDetails.depository, "protocol.v2.paymentDetails.depository"),
    events: DEPOSIT_EVENTS,
    fromBlock: latest > LOOK_BACK_BLOCKS ? latest - LOOK_BACK_BLOCKS : 0n,
    toBlock: latest,
    strict: true,
  });
  return logs.find(({ args }) => args.id.toLowerCase() === orderId.toLowerCase())?.transactionHash;
}

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
}

/** A quote that can be performed. */
type OpenQuote = Omit<PreparedExecution, "batch" | "isUnderWay">;

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
  if (await isPaid(client, given, parameters)) return { ...given, actions: [], batch: undefined, isUnderWay: true };
  const fresh = await replaceStale(client, given, { ...parameters, requestIds });
  const prepared = fresh ?? given;
  const isUnderWay = fresh === undefined && (await given.journal.hasBegun(given.actions.filter(isPayment)));
  // A payment that began was verified then; its deadlines may have passed since.
  if (fresh === undefined && !isUnderWay) await requireVerified({ ...parameters, quote: given.quote });
  const batch = await chooseBatch(prepared, parameters);
  // The gas of calls that are made at once may be paid by others.
  const paysGas = batch === undefined;
  await requireAllFunds(prepared, paysGas, parameters);
  if (!isUnderWay) await requireSimulated({ ...parameters, quote: prepared.quote, paysGas });
  return { ...prepared, batch, isUnderWay };
}

/** The quote that replaced this one in an earlier run: the given one must not be paid too. */
async function latestQuote({ quote, journal }: PrepareParameters) {
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
 * By service and chain. Journaled actions continue, unless their outcome is unknown: a wallet that chooses its nonce
 * may have paid under another one.
 */
async function isPaid(
  client: ServiceClient,
  { quote, journal, actions }: OpenQuote,
  { wallets, signal, onEvent }: PrepareParameters,
): Promise<boolean> {
  const payments = actions.filter(isPayment);
  const batch = await journal.batch();
  if (batch?.kind === "bundle") {
    const { isKnownBundle } = await import("./performBundle.ts");
    if (await isKnownBundle(await wallets.on(batch.chainId, batch.from), batch)) return false;
  }
  if ((await journal.hasBegun(payments)) && !(await journal.isUnclear(payments))) return false;
  const requestId = requestIdOf(quote);
  if (await isKnownDeposited(client, requestId, signal)) {
    onEvent({ kind: "found", requestId });
    return true;
  }
  for (const payment of payments) {
    if (payment.kind !== "transaction") continue;
    const wallet = await wallets.on(payment.chainId, payment.from);
    const txHash = await findPayment(wallet, payment, { quote, isInBatch: batch !== undefined });
    if (txHash === undefined) continue;
    onEvent({ kind: "found", requestId, txHash });
    return true;
  }
  return false;
}

/** An approval does not pay. */
function isPayment({ stepId }: PlannedStep): boolean {
  return stepId !== "approve";
}

async function isKnownDeposited(
  client: ServiceClient,
  requestId: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    return (await getStatus(client, { requestId, signal })).status !== "waiting";
  } catch (error) {
    // A service need not know a request before its deposit.
    if (error instanceof ServiceError && error.status === 404) return false;
    throw error;
  }
}

async function findPayment(
  { client }: StepWallet,
  payment: PlannedTransaction,
  { quote, isInBatch }: { readonly quote: Quote; readonly isInBatch: boolean },
) {
  try {
    const deposited = await findDeposit(client, quote);
    // Pending transactions are checked too, if the node exposes them.
    return deposited ?? (await findPending(client, payment, isInBatch).catch(() => undefined));
  } catch (cause) {
    if (!(cause instanceof BaseError)) throw cause;
    throw new ChainError({
      message: `chain ${payment.chainId} did not return whether the deposit was made: ${cause.shortMessage}`,
      hint: "Try again, or connect the wallet to a node that serves eth_getLogs.",
      chainId: payment.chainId,
      cause,
    });
  }
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
  await requireVerified({ ...parameters, quote: fresh, knownRequestIds });
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
  { wallets }: PrepareParameters,
) {
  const byChain = new Map<number, PlannedTransaction[]>();
  for (const action of actions) {
    if (action.kind !== "transaction" || (await journal.hasBegun([action]))) continue;
    byChain.set(action.chainId, [...(byChain.get(action.chainId) ?? []), action]);
  }
  for (const [chainId, transactions] of byChain) {
    const [{ from }] = transactions as [PlannedTransaction];
    const wallet = await wallets.on(chainId, from);
    await requireFunds(wallet, chainId, transactions, { quote, hasApproval: hasApproval(actions, chainId), paysGas });
  }
}

function hasApproval(actions: readonly PlannedStep[], chainId: number): boolean {
  return actions.some(
    (action) => action.kind === "transaction" && action.stepId === "approve" && action.chainId === chainId,
  );
}
