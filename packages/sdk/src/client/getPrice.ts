import { rejectUnknownNames } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError } from "@crosscall/protocol/core";
import { type Price, PriceSchema } from "@crosscall/protocol/quote";
import { type PriceRequest, PriceRequestSchema, QuoteRequestSchema } from "@crosscall/protocol/quote/rules";
import { callService, isMissingEndpoint } from "./callService.ts";
import { hasCredentials, type ServiceClient } from "./client.ts";
import { requireValidRequest } from "./requireValidRequest.ts";

/** Parameters of `getPrice`: the fields of a quote request that the endpoint has. */
export interface GetPriceParameters extends PriceRequest {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the price of a request without steps (`POST /price`): `fees` and `details` of a quote. Checks the request
 * like `getQuote`, except for the calls. Amounts are in the smallest unit. The endpoint ends on February 23, 2027. From
 * then on, a client with an API key or an access token uses `POST /quote/v3`, and the price has no `fees`. Prefer
 * `getQuote`, which does not commit you either.
 *
 * @throws {@link InvalidInputError} when a field breaks a rule or is only valid for quotes; no request is sent
 * @throws {@link ServiceError} when the service cannot price the request
 */
export async function getPrice(client: ServiceClient, parameters: GetPriceParameters): Promise<Price> {
  rejectUnknownNames(parameters, [...Object.keys(QuoteRequestSchema.properties), "signal"]);
  const { signal, ...body } = parameters;
  await requireValidRequest(client, body, signal);
  for (const [field, value] of Object.entries(body) as [string, unknown][]) {
    // The service would ignore the field, but a quote with it would have a different price.
    if (value === undefined || Object.hasOwn(PriceRequestSchema.properties, field)) continue;
    const reason = "POST /price does not have this field";
    throw new InvalidInputError({ field, value, reason, hint: `Omit ${field}, or use getQuote.` });
  }
  const call = { method: "POST", body, signal } as const;
  if (client.quoteVersion !== 3) {
    try {
      return await callService(client, { ...call, path: "/price", schema: PriceSchema });
    } catch (error) {
      if (!isMissingEndpoint(error) || !hasCredentials(client) || client.quoteVersion === 2) throw error;
    }
  }
  const { fromQuoteV3, QuoteV3Schema } = await import("@crosscall/protocol/quote/v3");
  const { details } = fromQuoteV3(await callService(client, { ...call, path: "/quote/v3", schema: QuoteV3Schema }));
  return { details };
}
