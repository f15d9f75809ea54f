import { bpsOf, BPS_PER_WHOLE, parseAmount } from "../../core/amounts.ts";
import type { Clock } from "../../core/clock.ts";
import type { Quote } from "../../protocol/quote.ts";
import type { QuoteRequest } from "../../protocol/quoteRequest.ts";
import type { ServiceClient } from "../client.ts";
import { getQuote } from "../getQuote.ts";
import { QuoteWorsenedError, StaleQuoteError } from "./executionErrors.ts";

/** The longest that a quote counts as fresh, in milliseconds, when nothing else is said. */
const MAX_AGE_MS = 30_000;

/** How old a quote may be when it is executed, and what happens if it is older. */
export interface QuoteFreshness {
  /** When the quote was taken, Unix time in milliseconds. */
  readonly takenAt: number;
  /** The longest that it counts as fresh, in milliseconds; 30,000 when left out. */
  readonly maxAgeMs?: number;
  /** What is quoted again when it is older; without one it is refused. */
  readonly request?: QuoteRequest;
  /** How much worse the fresh quote may be, in basis points of the old one; 0 when left out. */
  readonly toleranceBps?: number;
}

/**
 * A quote in place of one that is too old, or undefined when it is fresh.
 *
 * @throws {@link StaleQuoteError} when it is too old and there is no request
 * @throws {@link QuoteWorsenedError} when less arrives at least, or more is paid, than the tolerance allows
 */
export async function requote(
  client: ServiceClient,
  quote: Quote,
  { takenAt, maxAgeMs = MAX_AGE_MS, request, toleranceBps = 0 }: QuoteFreshness,
  { clock, signal }: { clock: Clock; signal: AbortSignal | undefined },
): Promise<Quote | undefined> {
  const ageMs = clock.now() - takenAt;
  if (ageMs <= maxAgeMs) return undefined;
  if (request === undefined) throw new StaleQuoteError({ ageMs, maxAgeMs });
  const fresh = await getQuote(client, { ...request, signal });
  requireNoWorse(quote, fresh, toleranceBps);
  return fresh;
}

function requireNoWorse(quote: Quote, fresh: Quote, toleranceBps: number): void {
  const tolerance = BigInt(toleranceBps);
  const minimumOutput = { quoted: leastOutput(quote), offered: leastOutput(fresh) };
  if (minimumOutput.offered < bpsOf(minimumOutput.quoted, BPS_PER_WHOLE - tolerance)) {
    throw new QuoteWorsenedError({ amount: "minimumOutput", ...minimumOutput, toleranceBps });
  }
  // With an exact output it is the input that moves.
  const input = { quoted: inputOf(quote), offered: inputOf(fresh) };
  if (input.offered > bpsOf(input.quoted, BPS_PER_WHOLE + tolerance)) {
    throw new QuoteWorsenedError({ amount: "input", ...input, toleranceBps });
  }
}

function leastOutput({ details: { currencyOut } }: Quote): bigint {
  return parseAmount(currencyOut.minimumAmount ?? currencyOut.amount, "details.currencyOut.minimumAmount");
}

function inputOf({ details: { currencyIn } }: Quote): bigint {
  return parseAmount(currencyIn.amount, "details.currencyIn.amount");
}
