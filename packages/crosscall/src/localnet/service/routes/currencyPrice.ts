import * as Type from "typebox";

import { formatAmount } from "@crosscall/protocol/encoding";
import { ServiceErrorSchema } from "@crosscall/protocol/common";
import { refuseField } from "../../market/refusal.ts";
import { answerErrorText, ErrorTextSchema } from "../errorForms.ts";
import { referrerQuery } from "../listing/queryParts.ts";
import type { ServiceRoute } from "../route.ts";
import type { ServiceParts } from "../serviceParts.ts";

const QuerySchema = Type.Object({
  address: Type.String({ description: "Address of the currency." }),
  chainId: Type.Integer({ minimum: 0 }),
  ...referrerQuery,
});

/** The prices that quotes use. */
export const currencyPriceRoute: ServiceRoute<"currencies"> = (app, parts) => {
  app.get(
    "/currencies/token/price",
    {
      schema: {
        summary: "The price of a currency in USD",
        querystring: QuerySchema,
        response: { 200: Type.Object({ price: Type.Number() }), 400: ErrorTextSchema, "4xx": ServiceErrorSchema },
      },
      errorHandler: answerErrorText,
    },
    ({ query }) => ({ price: Number(findPrice(parts, query)) }),
  );
  app.get(
    "/currencies/token/price/v2",
    {
      schema: {
        summary: "The price of a currency in USD, as text",
        querystring: QuerySchema,
        response: { 200: Type.Object({ price: Type.String() }), 400: ErrorTextSchema, "4xx": ServiceErrorSchema },
      },
      errorHandler: answerErrorText,
    },
    ({ query }) => ({ price: findPrice(parts, query) }),
  );
};

function findPrice(
  { currencies }: Pick<ServiceParts, "currencies">,
  { chainId, address }: Type.Static<typeof QuerySchema>,
): string {
  const priced = currencies.find(chainId, address);
  if (priced !== undefined) return formatAmount(priced.priceUsdE18, 18);
  throw refuseField("address", address, `chain ${chainId} has no such currency`, "POST /currencies/v2 lists them.");
}
