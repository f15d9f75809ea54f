import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";
import { encodeQuery } from "./queryFields.ts";
import * as T from "@crosscall/protocol/schema/type";

/** Parameters of `getSwapSources`. */
export interface GetSwapSourcesParameters {
  /** All chains by default. */
  readonly chainId?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the names of the swap sources that quotes can use (`GET /swap-sources`), such as for
 * `includedOriginSwapSources` of a quote request.
 *
 * @throws {@link InvalidInputError} when the chain id is malformed; nothing is sent then
 * @throws {@link MalformedDataError} when the response has no list of texts in `sources`
 * @throws {@link ServiceError} when the service does not have the chain
 */
export async function getSwapSources(
  client: ServiceClient,
  { signal, ...query }: GetSwapSourcesParameters = {},
): Promise<readonly string[]> {
  const { sources } = await callService(client, {
    method: "GET",
    path: "/swap-sources",
    query: encodeQuery({ chainId: "whole number" }, query),
    schema: T.Object({ sources: T.Array(T.String()) }),
    needs: ["sources"],
    signal,
  });
  return sources;
}
