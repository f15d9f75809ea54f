import { isSameAddressOf } from "../chains/families/chainFamilyOf.ts";
import { BPS_PER_WHOLE } from "../encoding/amounts.ts";
import { InvalidInputError } from "../core/errors.ts";
import { minimumOutput, quotedInput } from "./minimumOutput.ts";
import type { Quote } from "./quote.ts";
import type { QuoteRequest } from "./quoteRequest.ts";
import { requireField } from "../schema/readResponse.ts";

/** In milliseconds. */
export const QUOTE_FRESH_LIMIT_MS = 30_000;

/** A quote and the time of its response. The service revalidates quotes when it fills them. */
export type ReceivedQuote = Quote & {
  /** Time of the response on the client's clock, in Unix milliseconds. */
  readonly quotedAtMs: number;
  /** Request to repeat for a new quote. */
  readonly quotedRequest: QuoteRequest;
};

/**
 * Returns whether a quote is recent enough to execute. Returns false for a quote with a future time, because its age is
 * unknown.
 * @param nowMs current Unix milliseconds, on the same clock as the quote's time
 */
export function isQuoteFresh(
  { quotedAtMs }: Pick<ReceivedQuote, "quotedAtMs">,
  nowMs: number,
  limitMs = QUOTE_FRESH_LIMIT_MS,
): boolean {
  const ageMs = nowMs - quotedAtMs;
  return ageMs >= 0 && ageMs <= limitMs;
}

/**
 * Returns whether a new quote is worse than the accepted one by more than the tolerance: a lower minimum output, or a
 * higher input.
 *
 * @param toleranceBps tolerance in basis points of the old amounts; 0 allows no worse quote
 * @throws {@link InvalidInputError} when the quotes have different currencies
 * @throws {@link MalformedDataError} when a quote has no such amount
 */
export function isWorse(newQuote: Quote, oldQuote: Quote, toleranceBps: bigint): boolean {
  requireSameCurrency(newQuote, oldQuote, "currencyIn");
  requireSameCurrency(newQuote, oldQuote, "currencyOut");
  const deliversLess =
    minimumOutput(newQuote) * BPS_PER_WHOLE < minimumOutput(oldQuote) * (BPS_PER_WHOLE - toleranceBps);
  const takesMore = quotedInput(newQuote) * BPS_PER_WHOLE > quotedInput(oldQuote) * (BPS_PER_WHOLE + toleranceBps);
  return deliversLess || takesMore;
}

function requireSameCurrency(newQuote: Quote, oldQuote: Quote, name: "currencyIn" | "currencyOut"): void {
  const [now, before] = [currencyOf(newQuote, name), currencyOf(oldQuote, name)];
  if (now.chainId === before.chainId && isSameAddressOf(now.chainId, now.address, before.address)) return;
  throw new InvalidInputError({
    field: `newQuote.details.${name}.currency`,
    value: now.address,
    reason: `the old quote has ${before.address} on chain ${before.chainId}`,
    hint: "Compare quotes of the same request.",
  });
}

function currencyOf({ details }: Quote, name: "currencyIn" | "currencyOut"): { chainId: number; address: string } {
  const at = `details.${name}.currency`;
  const currency = details?.[name]?.currency;
  return {
    chainId: requireField(currency?.chainId, "the quote", `${at}.chainId`),
    address: requireField(currency?.address, "the quote", `${at}.address`),
  };
}
