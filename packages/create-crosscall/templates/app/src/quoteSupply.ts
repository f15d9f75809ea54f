import { getQuote, type ServiceClient } from "@crosscall/sdk";
import { aaveV3Supply, planRecipe } from "@crosscall/sdk/calls";
import { routerOn } from "@crosscall/sdk/verify";
import { type Address, zeroAddress } from "viem";

import type { AppConfig } from "./setup";

/** Quotes a supply to Aave: the user pays native currency on the origin chain, and receives aTokens. */
export function quoteSupply(
  client: ServiceClient,
  config: AppConfig,
  { user, amount, signal }: { user: Address; amount: bigint; signal: AbortSignal },
) {
  const { originChainId, destinationChainId, asset, pool, aToken } = config;
  return getQuote(client, {
    user,
    originChainId,
    originCurrency: zeroAddress,
    destinationChainId,
    // reset the allowance, approve, supply, sweep the remainder
    ...planRecipe({
      recipe: aaveV3Supply,
      args: { pool, asset, aToken },
      tradeType: "EXACT_OUTPUT",
      router: routerOn(destinationChainId),
      recipient: user,
      amount,
    }),
    signal,
  });
}
