import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";
import { encodeQuery } from "./queryFields.ts";
import * as T from "@crosscall/protocol/schema/type";

/** Parameters of `getChainHealth`. */
export interface GetChainHealthParameters {
  /** All chains together by default. */
  readonly chainId?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns whether the service can use a chain, or all of its chains, at the moment (`GET /chains/health`).
 *
 * @throws {@link InvalidInputError} when the chain id is malformed; nothing is sent then
 * @throws {@link MalformedDataError} when the response has no `healthy`
 * @throws {@link ServiceError} when the service does not have the chain
 */
export async function getChainHealth(
  client: ServiceClient,
  { signal, ...query }: GetChainHealthParameters = {},
): Promise<{ readonly healthy: boolean }> {
  return callService(client, {
    method: "GET",
    path: "/chains/health",
    query: encodeQuery({ chainId: "whole number" }, query),
    schema: T.Object({ healthy: T.Boolean() }),
    needs: ["healthy"],
    signal,
  });
}
