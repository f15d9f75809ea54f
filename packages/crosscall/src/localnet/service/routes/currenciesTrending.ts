import * as Type from "typebox";

import { isSameAddress } from "@crosscall/protocol/chains";
import { oneOf } from "@crosscall/protocol/schema";
import { CurrencyEntrySchema, ServiceErrorSchema } from "@crosscall/protocol/common";
import { listCurrencies } from "../../market/listCurrencies.ts";
import { listQuotedChains } from "../../market/quotedChains.ts";
import { countPurchases, type Purchases } from "../../store/requests/statistics.ts";
import { DEFAULT_LIMIT, referrerQuery, wholeNumber } from "../listing/queryParts.ts";
import type { ServiceRoute } from "../route.ts";
import { toCurrencyEntry } from "./toCurrencyEntry.ts";

const HOUR_MS = 3_600_000;

type Sort = "relay24hBuyTxCount" | "relay24hBuyUsdVolume" | "coingecko6hTrending";

/** No other market than the network's own is known here, so the last also counts its requests. */
const SORTS: Readonly<Record<Sort, { readonly hours: number; readonly rank: (purchases: Purchases) => number }>> = {
  relay24hBuyTxCount: { hours: 24, rank: ({ count }) => count },
  relay24hBuyUsdVolume: { hours: 24, rank: ({ volumeUsd }) => volumeUsd },
  coingecko6hTrending: { hours: 6, rank: ({ count }) => count },
};

const QuerySchema = Type.Object({
  chainId: wholeNumber("Of this chain."),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: DEFAULT_LIMIT })),
  sortBy: Type.Optional(
    oneOf(
      ["relay24hBuyTxCount", "relay24hBuyUsdVolume", "coingecko6hTrending"],
      "relay24hBuyTxCount by default: successful requests of the last 24 hours. The last counts those of 6 hours here.",
    ),
  ),
  ...referrerQuery,
});

/** All currencies; those that were bought most recently come first. */
export const currenciesTrendingRoute: ServiceRoute<"chains" | "clock" | "currencies" | "store"> = (app, parts) => {
  app.get(
    "/currencies/trending",
    {
      schema: {
        summary: "List the currencies that are bought most",
        querystring: QuerySchema,
        response: { 200: Type.Array(CurrencyEntrySchema), "4xx": ServiceErrorSchema },
      },
    },
    async ({ query: { chainId, limit = DEFAULT_LIMIT, sortBy = "relay24hBuyTxCount" } }) => {
      const { hours, rank } = SORTS[sortBy];
      const purchases = await countPurchases(parts.store.db, new Date(parts.clock.now() - hours * HOUR_MS));
      const chainIds = chainId === undefined ? [] : [chainId];
      return listCurrencies(parts.currencies, listQuotedChains(parts.chains), { chainIds })
        .map(({ currency }) => {
          const bought = purchases.find(
            (one) => one.chainId === currency.chainId && isSameAddress(one.currency, currency.address),
          );
          return { currency, rank: bought === undefined ? 0 : rank(bought) };
        })
        .toSorted((a, b) => b.rank - a.rank)
        .slice(0, limit)
        .map(({ currency }) => toCurrencyEntry(parts, currency));
    },
  );
};
