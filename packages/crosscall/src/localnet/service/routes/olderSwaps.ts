import * as Type from "typebox";

import type { Quote } from "@crosscall/protocol/complete";
import { ServiceErrorSchema } from "@crosscall/protocol/errors";
import { QuoteSchema } from "@crosscall/protocol/quote";
import { type QuoteRequest, QuoteRequestSchema } from "@crosscall/protocol/quote/rules";
import { listUnhonoredFields } from "../../market/quote/listUnhonoredFields.ts";
import { rejectField, rejectProblem } from "../../market/rejection.ts";
import { withScenarios } from "../faults/quoteScenarios.ts";
import { MULTI_INPUT_PATH, SWAP_PATH } from "../keys/keyOptions.ts";
import type { FieldFilter } from "../quoteBodies/ignoreFields.ts";
import { normalizeBody } from "../quoteBodies/normalizeAmounts.ts";
import { quoteFor } from "../quoteBodies/quoteFor.ts";
import type { ServiceApp } from "../route.ts";
import type { ServiceParts } from "../serviceParts.ts";

const SwapSchema = Type.Object({
  ...QuoteSchema.properties,
  breakdown: Type.Array(
    Type.Object({
      value: Type.String({ description: "Amount that is delivered in this time." }),
      timeEstimate: Type.Number({ description: "Seconds." }),
    }),
  ),
  balances: Type.Object({
    userBalance: Type.Optional(Type.String({ description: "Of the input currency." })),
    requiredToSolve: Type.String({ description: "Balance that the user needs." }),
  }),
});

const { originChainId: _, originCurrency: __, amount, ...common } = QuoteRequestSchema.properties;

const MultiInputSchema = Type.Object({
  ...common,
  amount: Type.Optional(amount),
  origins: Type.Array(
    Type.Object({
      chainId: QuoteRequestSchema.properties.originChainId,
      currency: QuoteRequestSchema.properties.originCurrency,
      amount: Type.String({ description: "Smallest unit of this currency." }),
      user: Type.Optional(Type.String({ description: "Who deposits; the user by default." })),
    }),
    { description: "What is paid: exactly one on this network." },
  ),
  partial: Type.Optional(Type.Boolean({ description: "Accepted without effect: there is one input." })),
});

const response = { 200: SwapSchema, "4xx": ServiceErrorSchema, "5xx": ServiceErrorSchema };

/** Adds older forms of a quote, with the same requests and steps. */
export function addOlderSwaps(app: ServiceApp, parts: ServiceParts, filter: FieldFilter): void {
  app.post(
    SWAP_PATH,
    {
      schema: { summary: "Request a quote in the older form", body: QuoteRequestSchema, response },
      preValidation: normalizeBody,
    },
    async (call, reply) => {
      const request = filter(call.body, listUnhonoredFields(call.body), reply);
      const { quote } = await quoteFor(parts, request, call.caller);
      return toSwap(await withScenarios(parts, call, quote));
    },
  );
  app.post(
    MULTI_INPUT_PATH,
    {
      schema: { summary: "Request a quote with a list of inputs", body: MultiInputSchema, response },
      preValidation: normalizeBody,
    },
    async (call, reply) => {
      const single = toSingleInput(call.body);
      const request = filter(single, listUnhonoredFields(single), reply);
      const { quote } = await quoteFor(parts, request, call.caller);
      return toSwap(await withScenarios(parts, call, quote));
    },
  );
}

/** @throws {@link RejectionError} unless the request has exactly one input */
function toSingleInput({ origins, partial: _partial, ...body }: Type.Static<typeof MultiInputSchema>): QuoteRequest {
  const [origin] = origins;
  if (origin === undefined || origins.length > 1) {
    throw rejectProblem({
      errorCode: "UNSUPPORTED_ROUTE",
      field: "origins",
      value: origins.length,
      reason: "this network pays a request with one deposit",
      hint: "Pass one origin, or request a quote for each.",
    });
  }
  if (body.tradeType !== "EXACT_INPUT" && body.amount === undefined) {
    throw rejectField("amount", undefined, "is missing, and is the output", "Pass the amount of the output.");
  }
  return {
    ...body,
    ...(origin.user === undefined ? {} : { user: origin.user, recipient: body.recipient ?? body.user }),
    originChainId: origin.chainId,
    originCurrency: origin.currency,
    amount: body.tradeType === "EXACT_INPUT" ? origin.amount : (body.amount ?? ""),
  };
}

function toSwap(quote: Quote): Type.Static<typeof SwapSchema> {
  const { currencyIn, currencyOut, timeEstimate, userBalance } = quote.details;
  return {
    ...quote,
    breakdown: [{ value: currencyOut.amount, timeEstimate }],
    balances: { ...(userBalance === undefined ? {} : { userBalance }), requiredToSolve: currencyIn.amount },
  };
}
