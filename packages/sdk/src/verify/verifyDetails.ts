import { CrosscallError } from "@crosscall/protocol/core";
import { BPS_PER_WHOLE, parseAmount } from "@crosscall/protocol/encoding";
import type { Quote, QuoteFees } from "@crosscall/protocol/quote";
import { namePublicContract } from "@crosscall/protocol/generations";
import { quoteFeeTable } from "@crosscall/protocol/quote/rules";
import { isPresent } from "@crosscall/protocol/schema";
import type { ReportDraft } from "./quoteReport.ts";
import { isTrusted } from "./trust.ts";
import type { TrustedChain } from "./trustedChains.ts";
import { amountOf, isSameDestination, isSameOrigin, type QuoteTerms } from "./terms.ts";

/** One cent, in US dollars, scaled by 10^18. Smaller differences come from rounding. */
const CENT = 10n ** 16n;

/** Checks the amounts that the quote shows to the user. */
export function verifyDetails(draft: ReportDraft, terms: QuoteTerms): void {
  const { request, quote, recipient, inputAmount, origin, destination } = terms;
  draft.check(
    "CHAIN_PINNED",
    "request.originChainId",
    origin !== undefined,
    "a chain in `trust`",
    request.originChainId,
  );
  draft.check(
    "CHAIN_PINNED",
    "request.destinationChainId",
    destination !== undefined,
    "a chain in `trust`",
    request.destinationChainId,
  );
  verifyReceivers(draft, terms);
  const { sender, recipient: named, currencyIn, currencyOut } = quote.details ?? {};
  if (isPresent(sender)) {
    draft.check("SENDER", "details.sender", isSameOrigin(terms, sender, request.user), request.user, sender);
  }
  if (isPresent(named)) {
    draft.check("RECIPIENT", "details.recipient", isSameDestination(terms, named, recipient), recipient, named);
  }
  const paid = currencyIn?.currency;
  draft.check(
    "INPUT_CURRENCY",
    "details.currencyIn.currency",
    paid?.chainId === request.originChainId && isSameOrigin(terms, paid.address, request.originCurrency),
    `${request.originCurrency} of chain ${request.originChainId}`,
    `${paid?.address ?? "nothing"} on chain ${paid?.chainId ?? "unknown"}`,
  );
  const received = currencyOut?.currency;
  draft.check(
    "OUTPUT_CURRENCY",
    "details.currencyOut.currency",
    received?.chainId === request.destinationChainId &&
      isSameDestination(terms, received.address, request.destinationCurrency),
    `${request.destinationCurrency} of chain ${request.destinationChainId}`,
    `${received?.address ?? "nothing"} on chain ${received?.chainId ?? "unknown"}`,
  );
  const seenInput = amountOf(currencyIn?.amount);
  draft.check("INPUT_AMOUNT", "details.currencyIn.amount", seenInput === inputAmount, inputAmount, currencyIn?.amount);
  const { maximumInput } = terms.limits;
  if (maximumInput !== undefined) {
    const isMet = inputAmount <= maximumInput;
    draft.check("INPUT_AMOUNT", "details.currencyIn.amount", isMet, `at most ${maximumInput}`, inputAmount);
  }
  verifyOutput(draft, terms);
  verifyFees(draft, terms);
}

function verifyOutput(draft: ReportDraft, terms: QuoteTerms): void {
  const { request, quote } = terms;
  const { amount, minimumAmount } = quote.details?.currencyOut ?? {};
  const expected = amountOf(amount);
  if (request.tradeType !== "EXACT_INPUT") {
    // If calls are paid in native currency, the amount covers their values.
    const wanted = parseAmount(request.amount, "amount");
    const isMet = expected !== undefined && expected >= wanted;
    draft.check("OUTPUT_AMOUNT", "details.currencyOut.amount", isMet, `at least ${wanted}`, amount);
  } else {
    draft.check("OUTPUT_AMOUNT", "details.currencyOut.amount", expected !== undefined, "an amount", amount);
  }
  const least = leastOutput(terms);
  const minimum = amountOf(minimumAmount ?? amount);
  const isMet = minimum !== undefined && minimum >= least && (expected === undefined || minimum <= expected);
  draft.check(
    "MINIMUM_OUTPUT",
    "details.currencyOut.minimumAmount",
    isMet,
    `${least} to ${expected ?? least}`,
    minimumAmount ?? amount,
  );
}

/** Returns the minimum output from the request, its slippage, and the caller's limit. */
export function leastOutput({ request, quote, slippageBps, limits }: QuoteTerms): bigint {
  const wanted =
    request.tradeType === "EXACT_INPUT"
      ? (amountOf(quote.details?.currencyOut?.amount) ?? 0n)
      : parseAmount(request.amount, "amount");
  const left = slippageBps >= BPS_PER_WHOLE ? 0n : BPS_PER_WHOLE - slippageBps;
  const least = request.tradeType === "EXACT_OUTPUT" ? wanted : (wanted * left) / BPS_PER_WHOLE;
  return limits.minimumOutput !== undefined && limits.minimumOutput > least ? limits.minimumOutput : least;
}

function verifyFees(draft: ReportDraft, { quote, limits }: QuoteTerms): void {
  if (isPresent(quote.details?.expandedPriceImpact)) verifySum(draft, quote);
  for (const [name, most] of Object.entries(limits.maximumFees ?? {})) {
    const { amount } = quote.fees?.[name as keyof QuoteFees] ?? {};
    const seen = amountOf(amount);
    const isWithin = seen !== undefined && seen <= most;
    draft.check("FEE_LIMITS", `fees.${name}.amount`, isWithin, `at most ${most}`, amount);
  }
  if (limits.maximumImpactBps === undefined) return;
  const { currencyIn, currencyOut } = quote.details ?? {};
  const [paid, received] = [Number(currencyIn?.amountUsd), Number(currencyOut?.amountUsd)];
  const bps = ((paid - received) / paid) * 10_000;
  const isMet = Number.isFinite(bps) && bps <= limits.maximumImpactBps;
  draft.check(
    "FEE_LIMITS",
    "details.currencyOut.amountUsd",
    isMet,
    `at most ${limits.maximumImpactBps} bps`,
    `${bps} bps`,
  );
}

/** Checks the sum of the fees, with or without the activation fee of the exchange chain. */
function verifySum(draft: ReportDraft, quote: Quote): void {
  const path = "details.expandedPriceImpact";
  try {
    const wrong = [false, true].map((hasActivationFee) =>
      quoteFeeTable(quote, { hasActivationFee }).mismatches.find(
        ({ differenceUsdE18: difference }) => difference >= CENT || -difference >= CENT,
      ),
    );
    const [found] = wrong;
    const isMet = wrong.includes(undefined);
    draft.check(
      "FEE_SUM",
      found?.field ?? path,
      isMet,
      found?.summedUsdE18 ?? "their sum",
      found?.statedUsdE18 ?? "their sum",
    );
  } catch (error) {
    if (!(error instanceof CrosscallError)) throw error;
    draft.check("FEE_SUM", path, false, "amounts in US dollars", error.message);
  }
}

/** Checks accounts that the order pays or refunds: funds of a router or an approval proxy cannot be claimed. */
function verifyReceivers(draft: ReportDraft, { recipient, refundTo, origin, destination }: QuoteTerms): void {
  const isPublic = (account: string, chain: TrustedChain | undefined): boolean =>
    namePublicContract(account) !== undefined || isTrusted(chain?.routers, account);
  if (isPublic(recipient, destination)) {
    draft.check("RECIPIENT", "request.recipient", false, "an account of the user", recipient);
  }
  if (isPublic(refundTo, origin))
    draft.check("ORDER_REFUND", "request.refundTo", false, "an account of the user", refundTo);
}
