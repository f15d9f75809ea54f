import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import { type CreatedQuote, createQuote, sponsoredFieldOf } from "../../market/quote/createQuote.ts";
import type { Market } from "../../market/market.ts";
import type { QuotedInput } from "../../market/quote/resolveQuote.ts";
import { rejectProblem } from "../../market/rejection.ts";
import type { Caller } from "../keys/keyRing.ts";

/** @throws {@link RejectionError} if the request requires the API key instead of an access token */
export function quoteFor(
  parts: Market,
  body: QuoteRequest,
  caller: Caller | undefined,
  offers?: readonly QuotedInput[],
): Promise<CreatedQuote> {
  const field = caller?.hasToken === true ? sponsoredFieldOf(body) : undefined;
  if (field === undefined) return createQuote(parts, body, caller?.keyHash ?? null, offers);
  throw rejectProblem({
    errorCode: "FORBIDDEN",
    field,
    value: body[field],
    reason: "needs the API key, not an access token",
    hint: `Request this quote from your backend, or omit ${field}.`,
  });
}
