import { ServiceErrorSchema } from "@crosscall/protocol/errors";
import { PriceSchema, QuoteSchema } from "@crosscall/protocol/quote";
import {
  PriceRequestSchema,
  type QuoteRequest,
  QuoteRequestSchema,
  QuoteV3Schema,
} from "@crosscall/protocol/quote/rules";
import { createPrice } from "../../market/quote/createPrice.ts";
import { listUnhonoredFields, listUnpricedFields } from "../../market/quote/listUnhonoredFields.ts";
import { RejectionError } from "../../market/rejection.ts";
import { isScenarioReferrer } from "../../scenarios/readScenarios.ts";
import { isRetiring } from "../deprecation.ts";
import { responseErrorV3, ErrorV3Schema } from "../errorForms.ts";
import { withScenarios } from "../faults/quoteScenarios.ts";
import { QUOTE_V2_PATHS, QUOTE_V3_PATH } from "../keys/keyOptions.ts";
import type { Caller } from "../keys/keyRing.ts";
import { createFieldFilter, type FieldFilter } from "../quoteBodies/ignoreFields.ts";
import { normalizeBody } from "../quoteBodies/normalizeAmounts.ts";
import { quoteFor } from "../quoteBodies/quoteFor.ts";
import { toQuoteV3 } from "../records/toQuoteV3.ts";
import { requireKey, type ServiceApp, type ServiceRoute } from "../route.ts";
import type { ChainReader, LedgerUser, Payer, Pricer, Rebalancer, StoreUser, Timed } from "../../market/market.ts";
import type { Retirer, ServiceParts } from "../serviceParts.ts";
import { addOlderSwaps } from "./olderSwaps.ts";

const summary = "Request a quote with its steps";

/** The endpoints that take a quote request. */
export const quoteRoute: ServiceRoute = (app, parts) => {
  const filter = createFieldFilter(parts);
  addQuotes(app, parts, filter);
  addPrice(app, parts, filter);
  addOlderSwaps(app, parts, filter);
};

function addQuotes(app: ServiceApp, parts: ServiceParts, filter: FieldFilter): void {
  for (const path of QUOTE_V2_PATHS) {
    app.post(
      path,
      {
        schema: {
          summary,
          body: QuoteRequestSchema,
          response: { 200: QuoteSchema, "4xx": ServiceErrorSchema, "5xx": ServiceErrorSchema },
        },
        preValidation: normalizeBody,
      },
      async (call, reply) => {
        if (needsKey(parts, call)) throw rejectReferrer();
        const { quote } = await quoteFor(parts, filter(call.body, listUnhonoredFields(call.body), reply), call.caller);
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
      preValidation: normalizeBody,
    },
    async (call, reply) => {
      const request = filter(call.body, listUnhonoredFields(call.body), reply);
      const created = await quoteFor(parts, request, call.caller);
      return toQuoteV3(parts, request, { ...created, quote: await withScenarios(parts, call, created.quote) });
    },
  );
}

/**
 * Returns whether the request requires a key. Users report that the live service requires a key for a referrer.
 * Referrers that select scenarios are exempt.
 */
function needsKey(
  parts: Timed & Retirer,
  { caller, body: { referrer } }: { readonly caller: Caller | undefined; readonly body: QuoteRequest },
): boolean {
  const isNamed = referrer !== undefined && referrer !== "" && !isScenarioReferrer(referrer);
  return isNamed && caller === undefined && isRetiring("/quote/v2", parts);
}

function rejectReferrer(): RejectionError {
  const hint = "Send an API key in the x-api-key header, omit referrer, or start the network with --default-api-key.";
  return new RejectionError({
    status: 401,
    body: { message: `a quote with a referrer requires an API key. ${hint}`, errorCode: "UNAUTHORIZED_QUOTE", hint },
    hint,
  });
}

function addPrice(
  app: ServiceApp,
  parts: Pricer & ChainReader & Payer & StoreUser & LedgerUser & Rebalancer,
  filter: FieldFilter,
): void {
  app.post(
    "/price",
    {
      schema: {
        summary: "Get the price of a request, without steps",
        body: PriceRequestSchema,
        response: { 200: PriceSchema, "4xx": ServiceErrorSchema, "5xx": ServiceErrorSchema },
      },
      preValidation: normalizeBody,
    },
    ({ body }, reply) => createPrice(parts, filter(body, listUnpricedFields(body), reply)),
  );
}
