import * as Type from "typebox";

import { isSameAddress } from "@crosscall/protocol/chains";
import { formatAmount } from "@crosscall/protocol/encoding";
import { CurrencyEntrySchema } from "@crosscall/protocol/common";
import { ServiceErrorSchema } from "@crosscall/protocol/errors";
import type { Currency, CurrencyEntry } from "@crosscall/protocol/complete";
import { oneOf } from "@crosscall/protocol/schema";
import { currencyIdOf, type PricedCurrency } from "../../market/currencies.ts";
import { listCurrencies } from "../../market/listCurrencies.ts";
import { listQuotedChains, requireQuotedChain, vmTypeOf } from "../../market/quotedChains.ts";
import { rejectField } from "../../market/rejection.ts";
import { countPurchases, type Purchases } from "../../store/requests/statistics.ts";
import { responseErrorText, ErrorTextSchema } from "../errorForms.ts";
import { DEFAULT_LIMIT, flag, referrerQuery, wholeNumber } from "../listing/queryParts.ts";
import { responses, type ServiceRoute } from "../route.ts";
import type { ChainReader, Pricer, Recorder } from "../../market/market.ts";

// Published clients send empty strings if there is no filter.
const filterText = (description: string) => Type.Optional(Type.String({ description }));

const FilterSchema = Type.Object({
  defaultList: flag("Accepted without effect: this network has one list."),
  chainIds: Type.Optional(
    Type.Array(Type.Integer(), { description: "Only currencies of these chains; all by default." }),
  ),
  term: filterText("Part of the name or symbol."),
  address: filterText("Address of the currency."),
  currencyId: filterText("Id of the currency, such as usdc."),
  tokens: Type.Optional(Type.Array(Type.String(), { description: "Only currencies of this list of chainId:address." })),
  verified: flag("Only verified currencies."),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: DEFAULT_LIMIT })),
  includeAllChains: flag("With address, also include the same currency on other chains."),
  useExternalSearch: flag("Accepted without effect: this network uses no third-party sources."),
  depositAddressOnly: flag("Only currencies that the solver holds."),
  ...referrerQuery,
});

const GroupedEntrySchema = Type.Object({ ...CurrencyEntrySchema.properties, groupID: Type.String() });

export const currenciesRoute: ServiceRoute<Pricer & ChainReader> = (app, parts) => {
  const list = (filter: Type.Static<typeof FilterSchema>) =>
    listCurrencies(parts.currencies, listQuotedChains(parts.chains), filter).map(({ currency }) => currency);
  app.post(
    "/currencies/v2",
    {
      schema: {
        summary: "List currencies",
        body: FilterSchema,
        response: responses(Type.Array(CurrencyEntrySchema)),
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
        response: responses(Type.Array(Type.Array(GroupedEntrySchema))),
      },
    },
    ({ body }) =>
      [...Map.groupBy(list(body), currencyIdOf)]
        .slice(0, body.limit ?? DEFAULT_LIMIT)
        .map(([groupID, group]) => group.map((currency) => ({ groupID, ...toCurrencyEntry(parts, currency) }))),
  );
};

export const HOUR_MS = 3_600_000;

type Sort = "relay24hBuyTxCount" | "relay24hBuyUsdVolume" | "coingecko6hTrending";

/**
 * Sort orders by recent purchases. The network only knows its own market, so the last order also counts its requests.
 */
const SORTS: Readonly<Record<Sort, { readonly hours: number; readonly rank: (purchases: Purchases) => number }>> = {
  relay24hBuyTxCount: { hours: 24, rank: ({ count }) => count },
  relay24hBuyUsdVolume: { hours: 24, rank: ({ volumeUsd }) => volumeUsd },
  coingecko6hTrending: { hours: 6, rank: ({ count }) => count },
};

const TrendingQuerySchema = Type.Object({
  chainId: wholeNumber("Only currencies of this chain."),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: DEFAULT_LIMIT })),
  sortBy: Type.Optional(
    oneOf(
      ["relay24hBuyTxCount", "relay24hBuyUsdVolume", "coingecko6hTrending"],
      "relay24hBuyTxCount by default: successful requests of the last 24 hours. On this network, coingecko6hTrending counts the requests of the last 6 hours.",
    ),
  ),
  ...referrerQuery,
});

/** All currencies, most recently bought first. */
export const currenciesTrendingRoute: ServiceRoute<Pricer & ChainReader & Recorder> = (app, parts) => {
  app.get(
    "/currencies/trending",
    {
      schema: {
        summary: "List the most bought currencies",
        querystring: TrendingQuerySchema,
        response: responses(Type.Array(CurrencyEntrySchema)),
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

const PriceQuerySchema = Type.Object({
  address: Type.String({ description: "Address of the currency." }),
  chainId: Type.Integer({ minimum: 0 }),
  ...referrerQuery,
});

/** Returns the same prices that quotes use. */
export const currencyPriceRoute: ServiceRoute<Pricer> = (app, parts) => {
  app.get(
    "/currencies/token/price",
    {
      schema: {
        summary: "Get the price of a currency in USD",
        querystring: PriceQuerySchema,
        response: { 200: Type.Object({ price: Type.Number() }), 400: ErrorTextSchema, "4xx": ServiceErrorSchema },
      },
      errorHandler: responseErrorText,
    },
    ({ query }) => ({ price: Number(findPrice(parts, query)) }),
  );
  app.get(
    "/currencies/token/price/v2",
    {
      schema: {
        summary: "Get the price of a currency in USD, as text",
        querystring: PriceQuerySchema,
        response: { 200: Type.Object({ price: Type.String() }), 400: ErrorTextSchema, "4xx": ServiceErrorSchema },
      },
      errorHandler: responseErrorText,
    },
    ({ query }) => ({ price: findPrice(parts, query) }),
  );
};

/** If tokens with the same symbol have different prices, the price on the first chain applies. */
export const priceRatesRoute: ServiceRoute<Pricer & ChainReader> = (app, parts) => {
  app.get(
    "/prices/rates",
    {
      schema: {
        summary: "Get the prices of all currencies in USD, by symbol",
        querystring: Type.Object(referrerQuery),
        response: responses(Type.Object({}, { additionalProperties: Type.Number() })),
      },
    },
    () =>
      Object.fromEntries(
        listCurrencies(parts.currencies, listQuotedChains(parts.chains), {})
          .toReversed()
          .map(({ currency: { symbol }, priceUsdE18 }) => [symbol, Number(formatAmount(priceUsdE18, 18))]),
      ),
  );
};

function findPrice(parts: Pricer, { chainId, address }: Type.Static<typeof PriceQuerySchema>): string {
  return formatAmount(requirePriced(parts, chainId, address).priceUsdE18, 18);
}

/** @throws {@link RejectionError} if the chain has no such currency */
export function requirePriced({ currencies }: Pricer, chainId: number, address: string): PricedCurrency {
  const priced = currencies.find(chainId, address);
  if (priced !== undefined) return priced;
  throw rejectField("address", address, `chain ${chainId} has no such currency`, "POST /currencies/v2 lists them.");
}

export function toCurrencyEntry({ chains }: ChainReader, currency: Currency): CurrencyEntry {
  return { ...currency, vmType: vmTypeOf(requireQuotedChain(chains, currency.chainId, "chainId")) };
}
