import { ServiceErrorSchema } from "@crosscall/sdk/internal/protocol/common/serviceError";
import { QuoteSchema } from "@crosscall/sdk/internal/protocol/quote/quote";
import { QuoteRequestSchema } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";
import { createQuote } from "../../market/quote/createQuote.ts";
import { QUOTE_PATHS } from "../keys/keyLimits.ts";
import type { ServiceRoute } from "../route.ts";

export const quoteRoute: ServiceRoute = (app, parts) => {
  for (const path of QUOTE_PATHS) {
    app.post(
      path,
      {
        schema: {
          summary: "Request a quote with its steps",
          body: QuoteRequestSchema,
          response: { 200: QuoteSchema, "4xx": ServiceErrorSchema, "5xx": ServiceErrorSchema },
        },
      },
      ({ body, caller }) => createQuote(parts, body, caller?.keyHash ?? null),
    );
  }
};
