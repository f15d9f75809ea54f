import * as Type from "typebox";

import type { Quote } from "@crosscall/protocol/complete";
import { ServiceErrorSchema } from "@crosscall/protocol/errors";
import { QuoteSchema } from "@crosscall/protocol/quote";
import { QuoteRequestSchema } from "@crosscall/protocol/quote/rules";
import { listUnhonoredFields, type UnhonoredField } from "../../market/quote/listUnhonoredFields.ts";
import { resolveOrigins } from "../../market/quote/resolveOrigins.ts";
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
    userBalance: Type.Optional(Type.String({ description: "The user's balance of the input currency." })),
    requiredToSolve: Type.String({ description: "Balance that the user needs." }),
  }),
});

const { originChainId: _, originCurrency: __, amount, ...common } = QuoteRequestSchema.properties;

/** Limit of this network, because each origin takes calls to its chain. */
const MAX_ORIGINS = 16;

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
    {
      minItems: 1,
      maxItems: MAX_ORIGINS,
      description: "Deposits of the request, each in a different currency or on a different chain.",
    },
  ),
  partial: Type.Optional(Type.Boolean({ description: "Accepted without effect: incomplete deposits are refunded." })),
});

const response = { 200: SwapSchema, "4xx": ServiceErrorSchema, "5xx": ServiceErrorSchema };

const PARTIAL_PROBLEM: UnhonoredField = {
  errorCode: "UNSUPPORTED_FIELD",
  field: "partial",
  value: true,
  reason: "this network refunds deposits if others are missing",
  hint: "Omit partial here; only the live service implements it.",
  isEssential: false,
};

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
      const { partial, ...body } = call.body;
      const { request: asked, offers } = resolveOrigins(parts, body);
      const isIgnored = partial === true && offers !== undefined;
      const unhonored = [...listUnhonoredFields(asked), ...(isIgnored ? [PARTIAL_PROBLEM] : [])];
      const request = filter(asked, unhonored, reply);
      const { quote } = await quoteFor(parts, request, call.caller, offers);
      return toSwap(await withScenarios(parts, call, quote));
    },
  );
}

function toSwap(quote: Quote): Type.Static<typeof SwapSchema> {
  const { currencyIn, currencyOut, timeEstimate, userBalance } = quote.details;
  return {
    ...quote,
    breakdown: [{ value: currencyOut.amount, timeEstimate }],
    balances: { ...(userBalance === undefined ? {} : { userBalance }), requiredToSolve: currencyIn.amount },
  };
}
