import type { Clock } from "@crosscall/protocol/core";
import { BPS_PER_WHOLE, bpsOf } from "@crosscall/protocol/encoding";
import {
  isQuoteFresh,
  minimumOutput,
  QUOTE_FRESH_LIMIT_MS,
  quotedInput,
  type ReceivedQuote,
} from "@crosscall/protocol/quote/rules";
import type { Quote } from "@crosscall/protocol/quote";
import type { ServiceClient } from "../client/client.ts";
import { getQuote } from "../client/getQuote.ts";
import { QuoteWorsenedError, StaleQuoteError } from "./executionErrors.ts";

export interface QuoteFreshness {
  /** Maximum age in milliseconds; 30,000 by default. */
  readonly maxAgeMs?: number;
  /** Whether to request a fresh quote, which is the default, or to fail. */
  readonly requotes?: boolean;
  /** How much worse the fresh quote may be, in basis points of the old one; 0 by default. */
  readonly toleranceBps?: number;
}

/** Undefined if the quote is fresh, or has no time. */
export async function requote(
  client: ServiceClient,
  quote: Quote | ReceivedQuote,
  { maxAgeMs = QUOTE_FRESH_LIMIT_MS, requotes = true, toleranceBps = 0 }: QuoteFreshness,
  { clock, signal }: { clock: Clock; signal: AbortSignal | undefined },
): Promise<ReceivedQuote | undefined> {
  if (!isTaken(quote) || isQuoteFresh(quote, clock.now(), maxAgeMs)) return undefined;
  if (!requotes) throw new StaleQuoteError({ ageMs: clock.now() - quote.quotedAtMs, maxAgeMs });
  const fresh = await getQuote(client, { ...quote.quotedRequest, clock, signal });
  requireNoWorse(quote, fresh, toleranceBps);
  return fresh;
}

function isTaken(quote: Quote | ReceivedQuote): quote is ReceivedQuote {
  return "quotedAtMs" in quote && "quotedRequest" in quote;
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
