import { BPS_PER_WHOLE, bpsOf } from "@crosscall/protocol/encoding";
import { InvalidInputError, InvalidStateError, UnsupportedStepError } from "@crosscall/protocol/core";
import {
  isPayment,
  isQuoteFresh,
  minimumOutput,
  originChainIdOf,
  type PlannedStep,
  type PlannedTransaction,
  planSteps,
  QUOTE_FRESH_LIMIT_MS,
  quotedInput,
  requestIdOf,
} from "@crosscall/protocol/quote/rules";
import type { Quote } from "@crosscall/protocol/quote";
import { isPresent } from "@crosscall/protocol/schema";
import { requireApiKey } from "../client/client.ts";
import { getQuote } from "../client/getQuote.ts";
import { type CallBatch, type Execution, orderIdOf, type PreparedExecution, type Run, withQuote } from "./execution.ts";
import { QuoteWorsenedError, StaleQuoteError } from "./executionErrors.ts";
import { reportedStatus } from "./findPayment.ts";
import { isAlreadyPaid } from "./isAlreadyPaid.ts";
import type { ExecutionJournal } from "./journal.ts";
import { LiveAuthorizations, requireNoneLive } from "./liveAuthorizations.ts";
import { askNode, throwAborted } from "./node.ts";
import { requireSignable, requireSigner } from "./performSignature.ts";
import { type BatchCalls, RequestJournal } from "./requestJournal.ts";
import { requireFunds } from "./requireFunds.ts";
import { createVerifier, rejectForeign, requestOf, requireSimulated, requireVerified } from "./requireVerified.ts";
import { readAtomicCapability } from "./walletResponses.ts";
import { requireAuthorizer, type StepWallet } from "./wallets.ts";

/**
 * Determines the remaining actions of a quote, requotes if the quote is too old, and checks that all actions can be
 * performed.
 */
export async function prepareExecution(run: Run): Promise<PreparedExecution> {
  const { latest, requestIds } = await latestQuote(run.quote, run.store);
  const isGiven = latest === run.quote;
  // From here on, errors must contain the request id of the quote that may be paid.
  if (!isGiven) run.onEvent({ kind: "requoted", quote: latest });
  const given = await openQuote(withQuote(run, latest));
  const { journal, actions } = given;
  // A journaled quote replaces the passed quote.
  if (isGiven) await journal.requireSameSteps(actions, orderIdOf(latest));
  if (await isAlreadyPaid(given)) return prepare({ ...given, actions: [] }, undefined, false);
  await requireNoLivePermits(given);
  const fresh = await replaceStale(given, requestIds);
  const execution = fresh ?? given;
  const isUnderWay = fresh === undefined && (await journal.hasBegun(actions.filter(isPayment)));
  // Before each prompt, a started payment is verified again, because its deadlines can have passed.
  if (run.trust !== "service" && !isUnderWay && fresh === undefined) await requireVerified(given);
  const batch = await chooseBatch(execution);
  // Others can pay the gas of a batch.
  const paysGas = batch === undefined;
  await requireAllFunds(execution, paysGas);
  if (!isUnderWay) await requireSimulated(execution, paysGas);
  return prepare(execution, batch, !isUnderWay);
}

function prepare(execution: Execution, batch: CallBatch | undefined, isSimulated: boolean): PreparedExecution {
  return { ...execution, batch, verify: createVerifier(execution, { isSimulated, paysGas: batch === undefined }) };
}

/**
 * Follows the replacements that earlier runs recorded, and returns the latest quote. Only one of these quotes may be
 * paid.
 */
export async function latestQuote(quote: Quote, store: ExecutionJournal) {
  let latest = quote;
  const seen = new Set<string>();
  for (;;) {
    const requestId = requestIdOf(latest);
    // A service can reuse the id for a new quote.
    if (seen.has(requestId)) return { latest, requestIds: seen };
    seen.add(requestId);
    const successor = await new RequestJournal(store, requestId).successor();
    if (successor === undefined) return { latest, requestIds: seen };
    latest = successor;
  }
}

/** Runs checks that need neither the service nor balances. */
async function openQuote(execution: Execution): Promise<Execution> {
  await execution.journal.requireOwnOrder(orderIdOf(execution.quote));
  await rejectForeign(execution);
  await requirePerformable(execution, execution.actions);
  if (execution.gasless) await requireGasless(execution);
  return execution;
}

/** Requires a wallet or a callback for each action. */
export async function requirePerformable(execution: Execution, actions: readonly PlannedStep[]): Promise<void> {
  const { service, wallets, quote, originChainId, onExchangeAction, onSvmTransaction } = execution;
  const callbacks: Partial<Record<PlannedStep["kind"], unknown>> = {
    exchangeAction: onExchangeAction,
    svmTransaction: onSvmTransaction,
  };
  for (const { kind, stepId } of actions) {
    if (kind in callbacks && callbacks[kind] === undefined) throw new UnsupportedStepError({ stepId, kind });
  }
  for (const action of actions) {
    if (action.kind !== "signature") continue;
    // A Permit2 message does not name its owner, so another account's signature would spend that account's tokens.
    requireSigner(wallets.signer(originChainId, execution.request?.user));
    requireSignable(service, action);
  }
  for (const action of actions) {
    const { kind, stepId } = action;
    if (kind === "batch") throw new UnsupportedStepError({ stepId, kind });
    // The checks before a payment, and the journal, know one payment.
    if ((quote.protocol?.v2?.orderData?.inputs?.length ?? 1) > 1)
      throw new UnsupportedStepError({ stepId, kind: "multiInput" });
    // Authorizations are never omitted, because the transaction would behave differently without them.
    if ("authorizationList" in action) throw new UnsupportedStepError({ stepId, kind: "authorizationList" });
    if (kind === "transaction") await wallets.on(action.chainId, action.from);
  }
}

/** Runs before any request to the service or a chain. */
async function requireGasless(execution: Execution): Promise<void> {
  const { service, wallets, actions, trust, destinationClient } = execution;
  const { originChainId, destinationChainId } = requestOf(execution);
  requireApiKey(service, "POST /execute");
  if (trust === "service") {
    throw new InvalidInputError({
      field: "gasless",
      value: true,
      reason: "without pinned addresses, the account could delegate to any contract",
      hint: 'Omit `gasless`, or pass pinned addresses instead of `trust: "service"`.',
    });
  }
  if (originChainId === destinationChainId && destinationClient !== undefined) {
    throw new InvalidInputError({
      field: "destinationClient",
      value: "[client]",
      reason: "no transaction of the user shows the fill of a same-chain request",
      hint: "Omit `destinationClient` or `gasless`.",
    });
  }
  const calls = firstCalls(actions);
  const other = actions[calls?.length ?? 0];
  if (other !== undefined) throw new UnsupportedStepError({ stepId: other.stepId, kind: `gasless ${other.kind}` });
  if (calls !== undefined) requireAuthorizer(await wallets.on(calls[0].chainId, calls[0].from));
}

/**
 * Runs before a payment starts. Voids a gasless batch of this request that the service rejected.
 *
 * @throws {@link PaymentUnresolvedError} when an earlier permit or batch can still be used
 */
async function requireNoLivePermits(execution: Execution): Promise<void> {
  const { service, store, wallets, journal, requestId, originChainId: chainId, gasless, signal } = execution;
  const batch = await journal.batch();
  const isLeft = batch?.kind === "gasless" && batch.isRefused === true && !gasless;
  const payment = execution.actions.find(isPayment);
  if (payment === undefined || (!isLeft && (await journal.hasBegun([payment])))) return;
  const currency = execution.quote.details?.currencyIn?.currency?.address;
  const account = payment.kind === "transaction" ? payment.from : wallets.signer(chainId)?.address;
  if (!execution.payAgain && account !== undefined && isPresent(currency)) {
    const authorizations = new LiveAuthorizations(store, { chainId, account });
    if ((await authorizations.list()) !== undefined) {
      const { client } = await wallets.on(chainId, account);
      await askNode(chainId, "whether a signed permit can still be used", () =>
        requireNoneLive(client, authorizations, {
          requestId,
          repeats: gasless || payment.kind === "signature",
          currency,
          statusOf: async (accepted) => (await reportedStatus(service, accepted, signal))?.status,
        }),
      );
    }
  }
  if (isLeft) await journal.set("batch", { ...batch, isVoid: true });
}

/**
 * Requests a new quote, unless payment has started, or the quote is recent or has no time.
 * @param requestIds ids of the replaced quotes, which a service can reuse
 * @throws {@link StaleQuoteError} when requoting is off; {@link QuoteWorsenedError} when the new quote is worse
 */
async function replaceStale(execution: Execution, requestIds: ReadonlySet<string>): Promise<Execution | undefined> {
  const { service, store, quote, journal, freshness = {}, clock, signal } = execution;
  if (freshness === false || (await journal.hasBegun(execution.actions.filter(isPayment)))) return undefined;
  const { maxAgeMs = QUOTE_FRESH_LIMIT_MS, requotes = true, toleranceBps = 0 } = freshness;
  if (!("quotedAtMs" in quote && "quotedRequest" in quote)) return undefined;
  if (isQuoteFresh(quote, clock.now(), maxAgeMs)) return undefined;
  if (!requotes) throw new StaleQuoteError({ ageMs: clock.now() - quote.quotedAtMs, maxAgeMs });
  const fresh = await getQuote(service, { ...quote.quotedRequest, clock, signal });
  requireNoWorse(quote, fresh, toleranceBps);
  const requestId = requestIdOf(fresh);
  const isOther =
    !requestIds.has(requestId) &&
    // Otherwise, steps of another request with this id would count as performed, and its success as this request's
    // success.
    (await new RequestJournal(store, requestId).isUsed(planSteps(fresh.steps, originChainIdOf(fresh))));
  const opened = await openQuote(withQuote(execution, fresh, isOther ? [requestId] : []));
  if (execution.trust !== "service") await requireVerified(opened);
  // Journals the new quote first, because a later run with the old quote must find the paid quote.
  await journal.set("successor", fresh);
  execution.onEvent({ kind: "requoted", quote: fresh });
  return opened;
}

function requireNoWorse(quote: Quote, fresh: Quote, toleranceBps: number): void {
  const tolerance = BigInt(toleranceBps);
  const least = { quoted: minimumOutput(quote), offered: minimumOutput(fresh) };
  if (least.offered < bpsOf(least.quoted, BPS_PER_WHOLE - tolerance)) {
    const currency = quote.details?.currencyOut?.currency ?? {};
    throw new QuoteWorsenedError({ amount: "minimumOutput", currency, ...least, toleranceBps });
  }
  // With an exact output, the input changes.
  const input = { quoted: quotedInput(quote), offered: quotedInput(fresh) };
  if (input.offered > bpsOf(input.quoted, BPS_PER_WHOLE + tolerance)) {
    const currency = quote.details?.currencyIn?.currency ?? {};
    throw new QuoteWorsenedError({ amount: "input", currency, ...input, toleranceBps });
  }
}

/** Returns the leading transactions that form a batch. Keeps the way of sending that an earlier run started with. */
async function chooseBatch(execution: Execution): Promise<CallBatch | undefined> {
  const { quote, journal, wallets } = execution;
  const calls = firstCalls(execution.actions);
  if (calls === undefined) return undefined;
  const earlier = await journal.batchOf(calls);
  if (earlier !== undefined) return { kind: earlier.kind, calls };
  const hasBegun = await journal.hasBegun(calls);
  if (execution.gasless) {
    if (!hasBegun) return { kind: "gasless", calls };
    throw new InvalidStateError({
      message: "an earlier run began to send the transactions itself",
      hint: "Execute the quote without `gasless`, or request a new quote.",
    });
  }
  // Without an order, the service finds the payment by the transaction's call data, which a bundle changes.
  if (hasBegun || calls.length < 2 || !isPresent(orderIdOf(quote))) return undefined;
  const [{ chainId, from }] = calls;
  return (await canBundle(await wallets.on(chainId, from), chainId)) ? { kind: "bundle", calls } : undefined;
}

/** Returns the leading calls of one account on one chain. */
function firstCalls([first, ...others]: readonly PlannedStep[]): BatchCalls | undefined {
  if (first?.kind !== "transaction") return undefined;
  const calls: [typeof first, ...(typeof first)[]] = [first];
  for (const action of others) {
    if (action.kind !== "transaction" || action.chainId !== first.chainId || action.from !== first.from) break;
    calls.push(action);
  }
  return calls;
}

/** Whether the wallet can send a bundle. A `ready` wallet asks the user before it upgrades the account. */
async function canBundle({ client, address, mayBundle }: StepWallet, chainId: number): Promise<boolean> {
  if (!mayBundle) return false;
  try {
    const answer: unknown = await client.request({ method: "wallet_getCapabilities", params: [address] });
    return readAtomicCapability(answer, chainId);
  } catch (error) {
    throwAborted(error);
    return false;
  }
}

/** Checks only actions that have not started, because started actions may have spent the funds. */
async function requireAllFunds(execution: Execution, paysGas: boolean) {
  const { quote, journal, actions, wallets, limits: gasLimits } = execution;
  const transactions = actions.filter((action) => action.kind === "transaction");
  const byChain = new Map<number, PlannedTransaction[]>();
  for (const action of transactions) {
    if (await journal.hasBegun([action])) continue;
    byChain.set(action.chainId, [...(byChain.get(action.chainId) ?? []), action]);
  }
  for (const [chainId, left] of byChain) {
    const [{ from }] = left as [PlannedTransaction];
    const hasApproval = transactions.some((action) => action.stepId === "approve" && action.chainId === chainId);
    await requireFunds(await wallets.on(chainId, from), chainId, left, { quote, hasApproval, paysGas, gasLimits });
  }
}
