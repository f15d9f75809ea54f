import * as Type from "typebox";

import { CurrencyEntrySchema, ServiceErrorSchema } from "@crosscall/protocol/common";
import { currencyIdOf } from "../../market/currencies.ts";
import { listCurrencies } from "../../market/listCurrencies.ts";
import { listQuotedChains } from "../../market/quotedChains.ts";
import { DEFAULT_LIMIT, flag, referrerQuery } from "../listing/queryParts.ts";
import type { ServiceRoute } from "../route.ts";
import { toCurrencyEntry } from "./toCurrencyEntry.ts";

// Published clients send empty texts for no filter.
const filterText = (description: string) => Type.Optional(Type.String({ description }));

const FilterSchema = Type.Object({
  defaultList: flag("Accepted without effect: this network has one list."),
  chainIds: Type.Optional(Type.Array(Type.Integer(), { description: "Of these chains; of all if empty." })),
  term: filterText("Part of the name or the symbol."),
  address: filterText("With this address."),
  currencyId: filterText("With this id, such as usdc."),
  tokens: Type.Optional(Type.Array(Type.String(), { description: "Of this list of chainId:address." })),
  verified: flag("Verified only."),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: DEFAULT_LIMIT })),
  includeAllChains: flag("With address: the same currency on all chains, too."),
  useExternalSearch: flag("Accepted without effect: this network asks no third party."),
  depositAddressOnly: flag("What the solver holds only."),
  ...referrerQuery,
});

const GroupedEntrySchema = Type.Object({ ...CurrencyEntrySchema.properties, groupID: Type.String() });

export const currenciesRoute: ServiceRoute<"chains" | "currencies"> = (app, parts) => {
  const list = (filter: Type.Static<typeof FilterSchema>) =>
    listCurrencies(parts.currencies, listQuotedChains(parts.chains), filter).map(({ currency }) => currency);
  app.post(
    "/currencies/v2",
    {
      schema: {
        summary: "List currencies",
        body: FilterSchema,
        response: { 200: Type.Array(CurrencyEntrySchema), "4xx": ServiceErrorSchema },
      },
    },
    ({ body }) =>
      list(body)
        .slice(0, body.limit ?? DEFAULT_LIMIT)
        .map((currency) => toCurrencyEntry(parts, currency)),
  );
  app.post(
    "/currencies/v1",
    {
      schema: {
        summary: "List currencies in groups with the same id",
        body: FilterSchema,
        response: { 200: Type.Array(Type.Array(GroupedEntrySchema)), "4xx": ServiceErrorSchema },
      },
    },
    ({ body }) =>
      [...Map.groupBy(list(body), currencyIdOf)]
        .slice(0, body.limit ?? DEFAULT_LIMIT)
        .map(([groupID, group]) => group.map((currency) => ({ groupID, ...toCurrencyEntry(parts, currency) }))),
  );
};
