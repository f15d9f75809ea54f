import { ServiceErrorSchema } from "@crosscall/protocol/errors";
import { PriceSchema, QuoteSchema } from "@crosscall/protocol/quote";
import {
  PriceRequestSchema,
  type QuoteRequest,
  QuoteRequestSchema,
  QuoteV3Schema,
} from "@crosscall/protocol/quote/rules";
import { createPrice } from "../../market/quote/createPrice.ts";
import { type CreatedQuote, createQuote, sponsoredFieldOf } from "../../market/quote/createQuote.ts";
import { RejectionError, rejectProblem } from "../../market/rejection.ts";
import { isScenarioReferrer } from "../../scenarios/readScenarios.ts";
import { isRetiring } from "../deprecation.ts";
import { responseErrorV3, ErrorV3Schema } from "../errorForms.ts";
import { withScenarios } from "../faults/quoteScenarios.ts";
import { QUOTE_V2_PATHS, QUOTE_V3_PATH } from "../keys/keyOptions.ts";
import type { Caller } from "../keys/keyRing.ts";
import { toQuoteV3 } from "../records/toQuoteV3.ts";
import { requireKey, type ServiceRoute } from "../route.ts";
import type { ChainReader, Payer, Pricer, Rebalancer, StoreUser, Timed } from "../../market/market.ts";
import type { Retirer, ServiceParts } from "../serviceParts.ts";

const summary = "Request a quote with its steps";

export const quoteRoute: ServiceRoute = (app, parts) => {
  for (const path of QUOTE_V2_PATHS) {
    app.post(
      path,
      {
        schema: {
          summary,
          body: QuoteRequestSchema,
          response: { 200: QuoteSchema, "4xx": ServiceErrorSchema, "5xx": ServiceErrorSchema },
        },
      },
      async (call) => {
        if (needsKey(parts, call)) throw rejectReferrer();
        const { quote } = await quoteFor(parts, call.body, call.caller);
        return withScenarios(parts, call, quote);
      },
    );
  }
  app.post(
    QUOTE_V3_PATH,
    {
      schema: {
        summary,
        body: QuoteRequestSchema,
        response: { 200: QuoteV3Schema, "4xx": ErrorV3Schema, "5xx": ErrorV3Schema },
      },
      errorHandler: responseErrorV3("UNAUTHORIZED_QUOTE"),
      onRequest: requireKey,
    },
    async (call) => {
      const created = await quoteFor(parts, call.body, call.caller);
      return toQuoteV3(parts, call.body, { ...created, quote: await withScenarios(parts, call, created.quote) });
    },
  );
};

/** Users report that the live service requires a key for a referrer. Referrers that select scenarios are exempt. */
function needsKey(
  parts: Timed & Retirer,
  { caller, body: { referrer } }: { readonly caller: Caller | undefined; readonly body: QuoteRequest },
): boolean {
  const isNamed = referrer !== undefined && referrer !== "" && !isScenarioReferrer(referrer);
  return isNamed && caller === undefined && isRetiring("/quote/v2", parts);
}

function rejectReferrer(): RejectionError {
  const hint = "Send an API key in the x-api-key header, or no referrer.";
  return new RejectionError({
    status: 401,
    body: { message: `a quote with a referrer requires an API key. ${hint}`, errorCode: "UNAUTHORIZED_QUOTE", hint },
    hint,
  });
}

/** @throws {@link RejectionError} if an access token is used for a quote that requires the API key */
function quoteFor(parts: ServiceParts, body: QuoteRequest, caller: Caller | undefined): Promise<CreatedQuote> {
  const field = caller?.hasToken === true ? sponsoredFieldOf(body) : undefined;
  if (field === undefined) return createQuote(parts, body, caller?.keyHash ?? null);
  throw rejectProblem({
    errorCode: "FORBIDDEN",
    field,
    value: body[field],
    reason: "requires the API key, not an access token",
    hint: `Request this quote from your backend, or omit ${field}.`,
  });
}

export const priceRoute: ServiceRoute<Pricer & ChainReader & Payer & StoreUser & Rebalancer> = (app, parts) => {
  app.post(
    "/price",
    {
      schema: {
        summary: "Get the price of a request, without steps",
        body: PriceRequestSchema,
        response: { 200: PriceSchema, "4xx": ServiceErrorSchema, "5xx": ServiceErrorSchema },
      },
    },
    ({ body }) => createPrice(parts, body),
  );
};
