import * as Type from "typebox";

import { isSameAddress } from "@crosscall/protocol/chains";
import { CurrencyEntrySchema } from "@crosscall/protocol/common";
import { unixSeconds } from "@crosscall/protocol/core";
import { formatAmount } from "@crosscall/protocol/encoding";
import { oneOf } from "@crosscall/protocol/schema";
import { requireQuotedChain } from "../../market/quotedChains.ts";
import type { ChainReader, Pricer, Recorder } from "../../market/market.ts";
import { countPurchases } from "../../store/requests/statistics.ts";
import { referrerQuery } from "../listing/queryParts.ts";
import { responses, type ServiceRoute } from "../route.ts";
import { HOUR_MS, requirePriced, toCurrencyEntry } from "./currencies.ts";

const params = Type.Object({
  chainId: Type.Integer({ minimum: 0 }),
  address: Type.String({ description: "Address of the currency." }),
});

const change = Type.String({ description: "Always 0: prices here are constant." });

const DetailsSchema = Type.Object({
  ...CurrencyEntrySchema.properties,
  price: Type.Number({ description: "In USD." }),
  codexChainName: Type.String({ description: "Name of the chain." }),
  codexChainShortName: Type.String({ description: "Name of the chain in orders." }),
  volume: Type.Object({
    "24h": Type.Object({ usd: Type.Number({ description: "Value that this network's requests delivered, in USD." }) }),
  }),
  priceChange: Type.Object({ "5m": change, "1h": change, "4h": change, "24h": change }),
});

const prices = Type.Array(Type.Number());

const ChartSchema = Type.Object(
  { t: Type.Array(Type.Integer(), { description: "Unix seconds." }), o: prices, h: prices, l: prices, c: prices },
  { description: "Lists of the same length." },
);

type Timeframe = "5M" | "1H" | "4H" | "24H" | "7D" | "30D" | "MAX";

const DAY_MINUTES = 24 * 60;

/** Length of a chart in minutes. */
const MINUTES: Readonly<Record<Timeframe, number>> = {
  "5M": 5,
  "1H": 60,
  "4H": 240,
  "24H": DAY_MINUTES,
  "7D": 7 * DAY_MINUTES,
  "30D": 30 * DAY_MINUTES,
  MAX: 365 * DAY_MINUTES,
};

const POINTS = 30;

const ChartQuerySchema = Type.Object({
  timeframe: Type.Optional(oneOf(["5M", "1H", "4H", "24H", "7D", "30D", "MAX"], "24H by default; MAX is a year here.")),
  ...referrerQuery,
});

/** Details that a local network knows: no market capitalization, liquidity, links or pair. */
export const currencyDetailsRoute: ServiceRoute<Pricer & ChainReader & Recorder> = (app, parts) => {
  app.get(
    "/chains/:chainId/currencies/:address",
    {
      schema: { summary: "A currency with its price", params, response: responses(DetailsSchema) },
    },
    async ({ params: { chainId, address } }) => {
      const chain = requireQuotedChain(parts.chains, chainId, "chainId");
      const { currency, priceUsdE18 } = requirePriced(parts, chainId, address);
      const purchases = await countPurchases(parts.store.db, new Date(parts.clock.now() - 24 * HOUR_MS));
      const bought = purchases.filter((one) => one.chainId === chainId && isSameAddress(one.currency, address));
      return {
        ...toCurrencyEntry(parts, currency),
        price: Number(formatAmount(priceUsdE18, 18)),
        codexChainName: chain.name,
        codexChainShortName: chain.protocolChainId,
        volume: { "24h": { usd: bought.reduce((sum, { volumeUsd }) => sum + volumeUsd, 0) } },
        priceChange: { "5m": "0", "1h": "0", "4h": "0", "24h": "0" },
      };
    },
  );
  app.get(
    "/chains/:chainId/currencies/:address/chart",
    {
      schema: {
        summary: "A chart of the constant price of a currency",
        params,
        querystring: ChartQuerySchema,
        response: responses(ChartSchema),
      },
    },
    ({ params: { chainId, address }, query: { timeframe = "24H" } }) => {
      requireQuotedChain(parts.chains, chainId, "chainId");
      const price = Number(formatAmount(requirePriced(parts, chainId, address).priceUsdE18, 18));
      const step = (MINUTES[timeframe] * 60) / POINTS;
      const end = unixSeconds(parts.clock);
      const t = Array.from({ length: POINTS + 1 }, (_, index) => end - (POINTS - index) * step);
      const constant = t.map(() => price);
      return { t, o: constant, h: constant, l: constant, c: constant };
    },
  );
};
