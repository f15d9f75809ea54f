import type { QuoteRequest } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";
import { findSponsorBalance } from "../../store/sponsors.ts";
import type { Market } from "../market.ts";
import { refuseProblem } from "../refusal.ts";

/**
 * Admits sponsorship only with an API key that has it enabled (spec 2, section 9.3).
 *
 * @throws {@link RefusalError} when the request asks for it without such a key
 */
export async function requireSponsor(
  market: Pick<Market, "store">,
  request: QuoteRequest,
  apiKeyHash: string | null,
): Promise<void> {
  const field = request.subsidizeFees === true ? "subsidizeFees" : "sponsoredFeeComponents";
  if (request.subsidizeFees !== true && request.sponsoredFeeComponents === undefined) return;
  const balance = apiKeyHash === null ? undefined : await findSponsorBalance(market.store.db, apiKeyHash);
  if (balance !== undefined) return;
  throw refuseProblem({
    errorCode: "FORBIDDEN",
    field,
    value: request[field],
    reason: "requires an API key with sponsorship",
    hint: `Send such a key in the x-api-key header, or omit ${field}.`,
  });
}
