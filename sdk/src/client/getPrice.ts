import { InvalidInputError } from "../core/errors.ts";
import { type Price, PriceSchema } from "../protocol/quote/quote.ts";
import { type PriceRequest, PriceRequestSchema } from "../protocol/quote/quoteRequest.ts";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";
import { requireValidRequest } from "./requireValidRequest.ts";

/** Parameters of `getPrice`: the fields of a quote request that the endpoint has. */
export interface GetPriceParameters extends PriceRequest {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the price of a request without steps (`POST /price`): `fees` and `details` of a quote. Checks the request like
 * `getQuote`, except for the calls. Amounts are in the smallest unit. The service deprecates this endpoint: prefer
 * `getQuote`, which does not commit you to anything either.
 *
 * @throws {@link InvalidInputError} when a field breaks a rule, or only quotes have it; nothing is sent then
 * @throws {@link ServiceError} when the service cannot price the request
 */
export async function getPrice(client: ServiceClient, parameters: GetPriceParameters): Promise<Price> {
  const { signal, ...body } = parameters;
  for (const [field, value] of Object.entries(body) as [string, unknown][]) {
    // The service would ignore it, and a quote with it would have another price.
    if (value === undefined || Object.hasOwn(PriceRequestSchema.properties, field)) continue;
    const reason = "POST /price does not have this field";
    throw new InvalidInputError({ field, value, reason, hint: `Omit ${field}, or use getQuote.` });
  }
  await requireValidRequest(client, body, signal);
  return callService(client, { method: "POST", path: "/price", body, schema: PriceSchema, signal });
}
