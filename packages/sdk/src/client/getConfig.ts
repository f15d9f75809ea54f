import { chainFamilyOf } from "@crosscall/protocol/chains";
import { type BridgeConfig, BridgeConfigSchema } from "@crosscall/protocol/common";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";
import { encodeQuery } from "./queryFields.ts";

/** Parameters of `getConfig`. */
export interface GetConfigParameters {
  readonly originChainId: number;
  readonly destinationChainId: number;
  /** Account on the origin chain, to return its balance. */
  readonly user?: string;
  /** Currency id, such as `usdc`; the native currency of the destination chain by default. */
  readonly currency?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns how much can be bridged at once on a route, and its fee (`GET /config/v2`). Amounts are in the smallest unit.
 * The service deprecates this endpoint: prefer `getQuote` for an amount and `getChainLiquidity` for balances.
 *
 * @throws {@link InvalidInputError} when a parameter is malformed; nothing is sent then
 * @throws {@link ServiceError} when the service does not have the route or the currency
 */
export async function getConfig(
  client: ServiceClient,
  { signal, ...query }: GetConfigParameters,
): Promise<BridgeConfig> {
  const encoded = encodeQuery(
    { originChainId: "whole number", destinationChainId: "whole number", user: "text", currency: "text" },
    query,
    ["originChainId", "destinationChainId"],
  );
  if (query.user !== undefined) chainFamilyOf(query.originChainId).parseAccount(query.user, "user");
  return callService(client, {
    method: "GET",
    path: "/config/v2",
    query: encoded,
    schema: BridgeConfigSchema,
    signal,
  });
}
