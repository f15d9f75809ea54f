import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import { listMismatches } from "@crosscall/sdk/internal/protocol/schema/findMismatch";
import { type QuoteRequest, QuoteRequestSchema } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";

/** Options that supply what a plan omits. */
const OPTIONS: Readonly<Record<string, string>> = {
  user: "--user",
  originChainId: "--origin-chain",
  destinationChainId: "--destination-chain",
  originCurrency: "--origin-currency",
  destinationCurrency: "--destination-currency",
  tradeType: "--trade-type",
  amount: "--amount",
};

/** @throws {@link InvalidInputError} naming the first missing or invalid field */
export function requireRequest(request: Partial<QuoteRequest>): QuoteRequest {
  const [mismatch] = listMismatches(QuoteRequestSchema, request);
  if (mismatch === undefined) return request as QuoteRequest;
  const { path: field, value, reason } = mismatch;
  const option = OPTIONS[field];
  throw new InvalidInputError({
    field,
    value,
    reason: value === undefined ? "a quote needs it" : reason,
    hint: `Set ${field} in the plan${option === undefined ? "" : ` or pass ${option}`}.`,
  });
}
