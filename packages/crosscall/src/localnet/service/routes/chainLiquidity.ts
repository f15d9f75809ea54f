import * as Type from "typebox";

import { LiquidityEntrySchema, ServiceErrorSchema } from "@crosscall/protocol/common";
import { readBalance } from "../../devchain/readChain.ts";
import { currencyIdOf, formatUsd, usdValue } from "../../market/currencies.ts";
import { holdingsOf, isSimulated, requireQuotedChain } from "../../market/quotedChains.ts";
import { referrerQuery } from "../listing/queryParts.ts";
import type { ServiceRoute } from "../route.ts";

/** The solver's wallet; on a simulated chain it holds nothing. */
export const chainLiquidityRoute: ServiceRoute<"chains" | "currencies" | "solver"> = (app, parts) => {
  app.get(
    "/chains/liquidity",
    {
      schema: {
        summary: "What the solver holds on a chain",
        querystring: Type.Object({ chainId: Type.Integer({ minimum: 0 }), ...referrerQuery }),
        response: { 200: Type.Object({ liquidity: Type.Array(LiquidityEntrySchema) }), "4xx": ServiceErrorSchema },
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
