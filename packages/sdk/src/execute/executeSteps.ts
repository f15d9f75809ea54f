import { compact, MalformedDataError } from "@crosscall/protocol/core";
import type { ServiceClient } from "../client/client.ts";
import type { ExecuteStepsParameters, ExecutionResult } from "./executeStepsParameters.ts";

/**
 * Executes the steps of a quote: sends transactions and waits for them, at once where the wallet can, signs and posts
 * signatures, delegates exchange and SVM actions to callbacks, announces the deposit, and follows the request to its
 * end. `verifyQuote`, wallets, chains, accounts, balances and allowances are checked before the first step.
 *
 * It may be called again with the same quote, after a crash too: what the service knows, what is on the chain and what
 * the journal says was begun is not done a second time. A wallet is prompted for a second payment only if the first can
 * no longer be made, or with `payAgain`.
 *
 * @throws {@link QuoteRefusedError} when the quote does not do what was asked for, or needs a simulation
 * @throws {@link PreflightFailedError} when `preflight` finds that the steps do more than you requested, or fail
 * @throws {@link UnsupportedStepError} when a step is of a kind that is not performed, or its callback is missing
 * @throws {@link MalformedDataError} when a step lacks what it needs
 * @throws {@link InvalidInputError} when a wallet is missing, or the quote was asked for another account
 * @throws {@link WrongChainError} when a wallet is on another chain and cannot be switched
 * @throws {@link InsufficientBalanceError} when the account cannot pay the amount, or value and gas
 * @throws {@link InsufficientAllowanceError} when the deposit needs an allowance that no step gives
 * @throws {@link AllowanceResetError} when the token does not let the approval replace an earlier allowance
 * @throws {@link GasCostError} when gas costs more than `limits` and the payment's worth allow
 * @throws {@link StaleQuoteError} when the quote is too old; {@link QuoteWorsenedError} when a fresh one is worse
 * @throws {@link UserRejectedError} when the user declines a step in the wallet
 * @throws {@link TransactionFailedError} when a transaction is refused, reverts or is not seen included
 * @throws {@link BundleFailedError} when a wallet takes several calls at once, and they are not all made
 * @throws {@link PaymentUnresolvedError} when an earlier payment may have been made, or can still be made
 * @throws {@link TransactionReplacedError} when another transaction took the nonce of a step's
 * @throws {@link InvalidStateError} when the journal was written for other steps
 * @throws {@link RequestNotFilledError} when the request ends in failure or refund, or `destinationClient` does not
 * confirm its success
 * @throws {@link ChainError} when a node does not say what is on its chain
 * @throws {@link TimedOutError} when the request does not end in time
 * @throws {@link AbortedError} when the signal aborts; what was sent stays sent, and the error names it
 */
export async function executeSteps(
  client: ServiceClient,
  parameters: ExecuteStepsParameters,
): Promise<ExecutionResult> {
  const { quote, ...terms } = copyTerms(parameters);
  // Bundlers split it off: a page needs it only when a quote is executed.
  const { runSteps } = await import("./runSteps.ts");
  const { toQuote } = await import("@crosscall/protocol/quote/v3");
  return runSteps(client, { ...parameters, ...terms, quote: toQuote(quote) }, parameters.quote);
}

/** What is executed stays what it is at the start, whatever the caller or a listener does with its objects. */
function copyTerms({ quote, request, limits }: ExecuteStepsParameters) {
  try {
    return structuredClone(compact({ quote, request, limits }));
  } catch (cause) {
    throw new MalformedDataError({ what: "the quote", path: "", reason: "it is not JSON", cause });
  }
}
