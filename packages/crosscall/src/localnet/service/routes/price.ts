import { ServiceErrorSchema } from "@crosscall/protocol/common";
import { PriceSchema } from "@crosscall/protocol/quote";
import { PriceRequestSchema } from "@crosscall/protocol/quote/rules";
import { createPrice } from "../../market/quote/createPrice.ts";
import type { ServiceRoute } from "../route.ts";

export const priceRoute: ServiceRoute<"chains" | "currencies" | "rebalancingBps" | "solver" | "store"> = (
  app,
  parts,
) => {
  app.post(
    "/price",
    {
      schema: {
        summary: "The price of a request, without steps",
        body: PriceRequestSchema,
        response: { 200: PriceSchema, "4xx": ServiceErrorSchema, "5xx": ServiceErrorSchema },
      },
    },
    ({ body }) => createPrice(parts, body),
  );
};
