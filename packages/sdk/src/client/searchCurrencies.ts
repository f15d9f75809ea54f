import { type CurrencyEntry, CurrencyEntrySchema } from "@crosscall/protocol/common";
import { readResponse } from "@crosscall/protocol/schema";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";
import { checkBody } from "./queryFields.ts";
import * as T from "@crosscall/protocol/schema/type";

/** Filters of `POST /currencies/v2`. A currency must match all. */
export interface SearchCurrenciesParameters {
  /** Part of the name or symbol. */
  readonly term?: string;
  readonly chainIds?: readonly number[];
  readonly address?: string;
  /** Such as `usdc`. */
  readonly currencyId?: string;
  /** As `chainId:address`. */
  readonly tokens?: readonly string[];
  /** Verified currencies only. */
  readonly verified?: boolean;
  /** Only currencies that deposit addresses accept. */
  readonly depositAddressOnly?: boolean;
  /** Only the service's default list. */
  readonly defaultList?: boolean;
  /** With one of `chainIds` and `address`: the same currency on all chains. */
  readonly includeAllChains?: boolean;
  /** Also search the lists of third parties. */
  readonly useExternalSearch?: boolean;
  /** Maximum number of currencies; 20 by default. */
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Searches the currencies of the service (`POST /currencies/v2`). An entry with unreadable fields lists them in
 * `unreadable`.
 *
 * @throws {@link InvalidInputError} when a filter is unknown or malformed; nothing is sent then
 * @throws {@link ServiceError} when the service refuses
 */
export async function searchCurrencies(
  client: ServiceClient,
  { signal, ...body }: SearchCurrenciesParameters = {},
): Promise<readonly CurrencyEntry[]> {
  checkBody(
    {
      term: "text",
      chainIds: "whole numbers",
      address: "text",
      currencyId: "text",
      tokens: "list",
      verified: "flag",
      depositAddressOnly: "flag",
      defaultList: "flag",
      includeAllChains: "flag",
      useExternalSearch: "flag",
      limit: "whole number",
    },
    body,
  );
  const entries = await callService(client, {
    method: "POST",
    path: "/currencies/v2",
    body,
    schema: T.Array(T.Unknown()),
    signal,
  });
  return entries.map((entry) => readResponse(CurrencyEntrySchema, entry));
}
