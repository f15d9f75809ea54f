import * as Type from "typebox";

import { ServiceErrorSchema } from "@crosscall/protocol/common";
import { MICRO_USD_E18 } from "@crosscall/protocol/quote/rules";
import { amountText } from "@crosscall/protocol/schema";
import { hashApiKey } from "../../store/keys.ts";
import { findSponsorBalance, setSponsorBalance } from "../../store/sponsors.ts";
import type { ServiceRoute } from "../route.ts";

const SponsorSchema = Type.Object({
  apiKey: Type.String({ minLength: 1, description: "The sponsor's API key." }),
  balance: amountText("Balance in millionths of a US dollar."),
});

export const sponsorsRoute: ServiceRoute<"store"> = (app, parts) => {
  app.post(
    "/admin/sponsors",
    {
      schema: {
        summary: "Let an API key sponsor fees",
        body: SponsorSchema,
        response: { 200: SponsorSchema, "4xx": ServiceErrorSchema },
      },
    },
    async ({ body }) => {
      const { db } = parts.store;
      const apiKeyHash = hashApiKey(body.apiKey);
      await setSponsorBalance(db, apiKeyHash, BigInt(body.balance) * MICRO_USD_E18);
      return body;
    },
  );
  app.get(
    "/admin/sponsors",
    {
      schema: {
        summary: "What a sponsor has left",
        querystring: Type.Pick(SponsorSchema, ["apiKey"]),
        response: { 200: SponsorSchema, "4xx": ServiceErrorSchema },
      },
    },
    async ({ query: { apiKey } }) => {
      const balance = (await findSponsorBalance(parts.store.db, hashApiKey(apiKey))) ?? 0n;
      return { apiKey, balance: (balance / MICRO_USD_E18).toString() };
    },
  );
};
