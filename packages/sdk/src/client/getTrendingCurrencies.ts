import { type CurrencyEntry, CurrencyEntrySchema } from "@crosscall/protocol/common";
import { readResponse } from "@crosscall/protocol/schema";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";
import { encodeQuery } from "./queryFields.ts";
import * as T from "@crosscall/protocol/schema/type";

/** Parameters of `getTrendingCurrencies`. */
export interface GetTrendingCurrenciesParameters {
  /** All chains by default. */
  readonly chainId?: number;
  /** Purchases through the service in 24 hours, by number (the default) or value, or a market list of 6 hours. */
  readonly sortBy?: "relay24hBuyTxCount" | "relay24hBuyUsdVolume" | "coingecko6hTrending";
  /** Maximum number of currencies. */
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the currencies that are bought most, first (`GET /currencies/trending`). An entry with unreadable fields lists
 * them in `unreadable`.
 *
 * @throws {@link InvalidInputError} when a parameter is malformed; nothing is sent then
 * @throws {@link ServiceError} when the service refuses
 */
export async function getTrendingCurrencies(
  client: ServiceClient,
  { signal, ...query }: GetTrendingCurrenciesParameters = {},
): Promise<readonly CurrencyEntry[]> {
  const entries = await callService(client, {
    method: "GET",
    path: "/currencies/trending",
    query: encodeQuery({ chainId: "whole number", sortBy: "text", limit: "whole number" }, query),
    schema: T.Array(T.Unknown()),
    signal,
  });
  return entries.map((entry) => readResponse(CurrencyEntrySchema, entry));
}
