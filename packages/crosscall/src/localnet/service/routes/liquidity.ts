import * as Type from "typebox";

import { BridgeConfigSchema, LiquidityEntrySchema } from "@crosscall/protocol/common";
import { ServiceErrorSchema } from "@crosscall/protocol/errors";
import { readBalance } from "../../devchain/readChain.ts";
import { type BridgeConfig, readBridgeConfig } from "../../market/bridgeConfig.ts";
import { currencyIdOf, type CurrencyTable, formatUsd, type PricedCurrency, usdValue } from "../../market/currencies.ts";
import { holdingsOf, isSimulated, requireQuotedChain } from "../../market/quotedChains.ts";
import { rejectField } from "../../market/rejection.ts";
import { responseMessageAndCode, MessageAndCodeSchema } from "../errorForms.ts";
import { referrerQuery, text } from "../listing/queryParts.ts";
import { responses, type ServiceRoute } from "../route.ts";
import type { ChainReader, LedgerUser, Payer, Pricer, Rebalancer, StoreUser } from "../../market/market.ts";

/** Balances of the solver's wallet. It holds nothing on simulated chains. */
export const chainLiquidityRoute: ServiceRoute<Pricer & ChainReader & Payer> = (app, parts) => {
  app.get(
    "/chains/liquidity",
    {
      schema: {
        summary: "List the solver's balances on a chain",
        querystring: Type.Object({ chainId: Type.Integer({ minimum: 0 }), ...referrerQuery }),
        response: responses(Type.Object({ liquidity: Type.Array(LiquidityEntrySchema) })),
      },
    },
    async ({ query: { chainId } }) => {
      const chain = requireQuotedChain(parts.chains, chainId, "chainId");
      if (isSimulated(chain)) return { liquidity: [] };
      const liquidity = holdingsOf(parts.currencies, chain).map(async (priced) => {
        const { symbol, address, decimals } = priced.currency;
        const balance = await readBalance(chain, address, parts.solver.address);
        return {
          chainId,
          currencyId: currencyIdOf(priced.currency),
          symbol,
          address,
          decimals,
          balance: balance.toString(),
          amountUsd: formatUsd(usdValue(balance, priced)),
        };
      });
      return { liquidity: await Promise.all(liquidity) };
    },
  );
};

const query = {
  originChainId: Type.Integer({ minimum: 0 }),
  destinationChainId: Type.Integer({ minimum: 0 }),
  user: text("Account whose balance to return; zero if omitted."),
  ...referrerQuery,
};

const ConfigQuerySchema = Type.Object({ ...query, currency: text("Address of a currency of the destination chain.") });
const ConfigQueryV2Schema = Type.Object({ ...query, currency: text("Id of a currency, such as usdc.") });

const { fee: _, ...fieldsOfV1 } = BridgeConfigSchema.properties;
const ConfigSchema = Type.Object(fieldsOfV1);

type Query = Omit<Type.Static<typeof ConfigQueryV2Schema>, "currency" | "referrer">;
type ConfigParts = Pricer & ChainReader & Payer & StoreUser & LedgerUser & Rebalancer;
type FindCurrency = (currencies: CurrencyTable, chainId: number) => PricedCurrency | undefined;

/** Both versions of the route are deprecated, because quotes contain the same data. */
export const configRoute: ServiceRoute<ConfigParts> = (app, parts) => {
  app.get(
    "/config",
    {
      schema: {
        summary: "Get the amounts that can be bridged immediately",
        querystring: ConfigQuerySchema,
        response: responses(ConfigSchema),
      },
    },
    async ({ query: { currency, ...route } }) => {
      const { fee: _, ...fields } = await readConfig(parts, route, currency, (currencies, chainId) =>
        currency === undefined ? undefined : currencies.find(chainId, currency),
      );
      return fields;
    },
  );
  app.get(
    "/config/v2",
    {
      schema: {
        summary: "Get the amounts that can be bridged immediately, and the fee",
        querystring: ConfigQueryV2Schema,
        response: {
          200: BridgeConfigSchema,
          400: MessageAndCodeSchema,
          "4xx": ServiceErrorSchema,
          500: MessageAndCodeSchema,
        },
      },
      errorHandler: responseMessageAndCode,
    },
    ({ query: { currency, ...route } }) =>
      readConfig(parts, route, currency, (currencies, chainId) =>
        currencies.ofChain(chainId).find((priced) => currencyIdOf(priced.currency) === currency),
      ),
  );
};

async function readConfig(
  parts: ConfigParts,
  { originChainId, destinationChainId, user }: Query,
  currency: string | undefined,
  find: FindCurrency,
) {
  const origin = requireQuotedChain(parts.chains, originChainId, "originChainId");
  const destination = requireQuotedChain(parts.chains, destinationChainId, "destinationChainId");
  const output =
    currency === undefined ? parts.currencies.nativeOf(destination.id) : find(parts.currencies, destination.id);
  if (output === undefined) {
    throw rejectField(
      "currency",
      currency,
      `chain ${destination.id} has no such currency`,
      "Omit it, or pass another currency.",
    );
  }
  return toConfig(parts, await readBridgeConfig(parts, { origin, destination, output, user }));
}

function toConfig({ solver }: Payer, config: BridgeConfig) {
  const { isEnabled, userBalance, maxBridgeAmount, fee, solverBalance } = config;
  return {
    enabled: isEnabled,
    user: { balance: userBalance.toString(), maxBridgeAmount: maxBridgeAmount.toString() },
    fee: fee.toString(),
    solver: {
      address: solver.address,
      balance: solverBalance.toString(),
      capacityPerRequest: solverBalance.toString(),
    },
    supportsExternalLiquidity: false,
  };
}
