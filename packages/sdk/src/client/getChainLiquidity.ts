import { type LiquidityEntry, LiquidityEntrySchema } from "@crosscall/protocol/common";
import { readResponse } from "@crosscall/protocol/schema";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";
import { encodeQuery } from "./queryFields.ts";
import * as T from "@crosscall/protocol/schema/type";

/** Parameters of `getChainLiquidity`. */
export interface GetChainLiquidityParameters {
  readonly chainId: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns what the solver holds on a chain (`GET /chains/liquidity`). `balance` is in the smallest unit. An entry with
 * unreadable fields lists them in `unreadable`.
 *
 * @throws {@link InvalidInputError} when the chain id is malformed; nothing is sent then
 * @throws {@link MalformedDataError} when the response has no `liquidity`
 * @throws {@link ServiceError} when the service does not have the chain
 */
export async function getChainLiquidity(
  client: ServiceClient,
  { signal, ...query }: GetChainLiquidityParameters,
): Promise<readonly LiquidityEntry[]> {
  const { liquidity } = await callService(client, {
    method: "GET",
    path: "/chains/liquidity",
    query: encodeQuery({ chainId: "whole number" }, query, ["chainId"]),
    schema: T.Object({ liquidity: T.Array(T.Unknown()) }),
    needs: ["liquidity"],
    signal,
  });
  return liquidity.map((entry) => readResponse(LiquidityEntrySchema, entry));
}
