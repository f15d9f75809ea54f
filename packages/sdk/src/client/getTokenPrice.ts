import { chainFamilyOf } from "@crosscall/protocol/chains";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";
import { encodeQuery } from "./queryFields.ts";
import * as T from "@crosscall/protocol/schema/type";

/** Parameters of `getTokenPrice`. */
export interface GetTokenPriceParameters {
  readonly chainId: number;
  /** Address of the currency; the zero address for the native currency of EVM chains. */
  readonly address: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the price of a whole unit of a currency in US dollars (`GET /currencies/token/price`). It is a number, so use
 * it for display only.
 *
 * @throws {@link InvalidInputError} when the chain id or the address is malformed; nothing is sent then
 * @throws {@link MalformedDataError} when the response has no price
 * @throws {@link ServiceError} when the service does not know the currency
 */
export async function getTokenPrice(
  client: ServiceClient,
  { signal, ...query }: GetTokenPriceParameters,
): Promise<number> {
  const encoded = encodeQuery({ chainId: "whole number", address: "text" }, query, ["chainId", "address"]);
  chainFamilyOf(query.chainId).parseCurrency(query.address, "address");
  const { price } = await callService(client, {
    method: "GET",
    path: "/currencies/token/price",
    query: encoded,
    schema: T.Object({ price: T.Number() }),
    needs: ["price"],
    signal,
  });
  return price;
}
