import { type Clock, UnsupportedStepError } from "@crosscall/protocol/core";
import type { Quote } from "@crosscall/protocol/quote";
import { isPresent } from "@crosscall/protocol/schema";
import type { ServiceClient } from "../client/client.ts";
import { type CallBatch, chooseBatch, requireGasless } from "./callBatch.ts";
import { requireCallbacks } from "./delegate.ts";
import type { ExecutionParameters, ExecutionEvent } from "./executeStepsParameters.ts";
import { requote } from "./freshQuote.ts";
import { isAlreadyPaid, type OpenQuote } from "./isAlreadyPaid.ts";
import type { ExecutionJournal } from "./journal.ts";
import { RequestJournal } from "./requestJournal.ts";
import { LiveAuthorizations, requireNoneLive } from "./liveAuthorizations.ts";
import { requireSignable, requireSigner } from "./performSignature.ts";
import {
  isPayment,
  originChainIdOf,
  type PlannedStep,
  type PlannedTransaction,
  planSteps,
  requestIdOf,
} from "@crosscall/protocol/quote/rules";
import { reportedStatus } from "./reportedStatus.ts";
import { requireFunds } from "./requireFunds.ts";
import {
  refuseForeign,
  requestOf,
  requireSimulated,
  requireVerified,
  type RequireVerifiedParameters,
} from "./requireVerified.ts";
import type { StepWallets } from "./wallets.ts";

/** The given quote, or its replacement. It has no actions if the request is paid already. */
export interface PreparedExecution extends OpenQuote {
  /** The first of the actions, if they are performed at once. */
  readonly batch: CallBatch | undefined;
  /** Whether the payment began in an earlier run, or was made. */
  readonly isUnderWay: boolean;
  /** Whether the simulation of the quote passed. */
  readonly isSimulated: boolean;
}

export interface PrepareParameters extends Omit<ExecutionParameters, "wallets" | "journal"> {
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
  if (await isAlreadyPaid(client, given, parameters)) {
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
