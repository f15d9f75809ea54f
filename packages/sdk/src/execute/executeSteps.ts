import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { compact, MalformedDataError } from "@crosscall/protocol/core";
import type { ServiceClient } from "../client/client.ts";
import type { ExecuteStepsParameters, ExecutionResult } from "./executeStepsParameters.ts";

/**
 * Executes the steps of a quote: sends transactions (as a batch if the wallet supports it) and waits for them, signs
 * and posts signatures, delegates exchange and SVM actions to callbacks, announces the deposit, and follows the request
 * until it ends. Before the first step, runs `verifyQuote` and checks wallets, chains, accounts, balances and
 * allowances.
 *
 * You can call it again with the same quote, even after a crash. It does not repeat steps that the service knows, the
 * chain shows or the journal records. It prompts for a second payment only if the first payment can no longer be made,
 * or with `payAgain`.
 *
 * @throws {@link QuoteRefusedError} when the quote does not match the request or must be simulated
 * @throws {@link PreflightFailedError} when `preflight` finds that the steps do more than you requested, or fail
 * @throws {@link UnsupportedStepError} when a step's kind is not supported, or its callback is missing
 * @throws {@link MalformedDataError} when a step lacks a required field
 * @throws {@link InvalidInputError} when a wallet is missing, or the quote is for another account
 * @throws {@link WrongChainError} when a wallet cannot switch to the chain of a step
 * @throws {@link InsufficientBalanceError} when the account cannot pay the amount, or value and gas
 * @throws {@link InsufficientAllowanceError} when the deposit needs an allowance that no step approves
 * @throws {@link AllowanceResetError} when the token rejects the approval because of an earlier allowance
 * @throws {@link GasCostError} when gas costs more than `limits` and the payment's value allow
 * @throws {@link StaleQuoteError} when the quote is too old; {@link QuoteWorsenedError} when a new quote is worse
 * @throws {@link UserRejectedError} when the user rejects a step in the wallet
 * @throws {@link TransactionFailedError} when a transaction is rejected, reverts or is not included in time
 * @throws {@link BundleFailedError} when a wallet accepts a batch of calls, but some fail
 * @throws {@link PaymentUnresolvedError} when an earlier payment may have been made, or can still be made
 * @throws {@link TransactionReplacedError} when another transaction used the nonce of a step's transaction
 * @throws {@link InvalidStateError} when another call executes the request, or the journal was written for other steps
 * @throws {@link RequestNotFilledError} when the request ends in failure or refund, or `destinationClient` does not
 * confirm its success
 * @throws {@link ChainError} when a node does not return the chain's state
 * @throws {@link TimedOutError} when the request does not end in time
 * @throws {@link AbortedError} when the signal aborts; sent transactions stay sent, and the error contains the payment
 */
export async function executeSteps(
  client: ServiceClient,
  parameters: ExecuteStepsParameters,
): Promise<ExecutionResult> {
  rejectUnknownOptions(parameters, {
    quote: 1,
    wallet: 1,
    wallets: 1,
    gasless: 1,
    journal: 1,
    freshness: 1,
    source: 1,
    destinationClient: 1,
    refundGraceMs: 1,
    pollIntervalMs: 1,
    timeoutMs: 1,
    payAgain: 1,
    signal: 1,
    onEvent: 1,
    clock: 1,
    onExchangeAction: 1,
    onSvmTransaction: 1,
    trust: 1,
    request: 1,
    limits: 1,
    preflight: 1,
  });
  const { quote, ...terms } = copyTerms(parameters);
  // Lets bundlers split off the execution, which a page needs only to execute a quote.
  const { runSteps } = await import("./runSteps.ts");
  const { readAnyQuote } = await import("@crosscall/protocol/quote/v3");
  return runSteps(client, { ...parameters, ...terms, quote: readAnyQuote(quote) }, parameters.quote);
}

/**
 * Copies the parameters, so that later changes by the caller or a listener have no effect. `structuredClone` would reject
 * objects that a user interface wraps in proxies.
 */
function copyTerms({ quote, request, limits }: ExecuteStepsParameters) {
  try {
    const copy = JSON.parse(JSON.stringify({ quote, request })) as Pick<ExecuteStepsParameters, "quote" | "request">;
    return compact({ ...copy, limits: limits && { ...limits, maximumFees: { ...limits.maximumFees } } });
  } catch (cause) {
    throw new MalformedDataError({ what: "the quote or the request", path: "", reason: "it is not JSON", cause });
  }
}
