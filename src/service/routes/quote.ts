import { ServiceErrorSchema } from "@crosscall/sdk/internal/protocol/common/serviceError";
import { QuoteSchema } from "@crosscall/sdk/internal/protocol/quote/quote";
import { QuoteRequestSchema } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";
import { createQuote } from "../../market/quote/createQuote.ts";
import type { ServiceRoute } from "../route.ts";

export const quoteRoute: ServiceRoute = (app, parts) => {
  app.post(
    "/quote/v2",
    {
      schema: {
        summary: "Request a quote with its steps",
        body: QuoteRequestSchema,
        response: { 200: QuoteSchema, "4xx": ServiceErrorSchema, "5xx": ServiceErrorSchema },
      },
    },
    ({ body, caller }) => createQuote(parts, body, caller?.keyHash ?? null),
  );
};
