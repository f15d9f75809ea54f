import { type ReadResponse, readResponse } from "@crosscall/protocol/schema";
import * as T from "@crosscall/protocol/schema/type";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";

/** Cache lifetime: chains and their contracts change rarely. */
const CHAINS_MAX_AGE_MS = 5 * 60_000;

export interface GetChainsParameters {
  /** Maximum age of a cached response in milliseconds. Defaults to five minutes; 0 requests a new response. */
  readonly maxAgeMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const cache = new WeakMap<ServiceClient, { readonly list: readonly unknown[]; readonly takenAt: number }>();

/** Returns the entries of `GET /chains` as received. The client caches them for a few minutes. */
export async function listChains(
  client: ServiceClient,
  { maxAgeMs = CHAINS_MAX_AGE_MS, signal }: GetChainsParameters,
): Promise<readonly unknown[]> {
  const cached = cache.get(client);
  const ageMs = cached === undefined ? Infinity : client.timer.now() - cached.takenAt;
  // If the clock was set back, any response would look recent.
  if (cached !== undefined && ageMs >= 0 && ageMs < maxAgeMs) return cached.list;
  const schema = T.Object({ chains: T.Array(T.Unknown()) });
  const { chains: list } = await callService(client, {
    method: "GET",
    path: "/chains",
    schema,
    needs: ["chains"],
    signal,
  });
  cache.set(client, { list, takenAt: client.timer.now() });
  return list;
}

const routers = T.Object({ erc20Router: T.String() });

/** The fields that quote requests are checked with. */
const QuotedChainSchema = T.Object({
  id: T.Integer(),
  vmType: T.String(),
  contracts: T.Object({ ...routers.properties, v3: routers }),
});

/** Returns what quote requests are checked with, without loading the schema of the other fields. */
export async function listQuotedChains(
  client: ServiceClient,
  signal: AbortSignal | undefined,
): Promise<readonly ReadResponse<typeof QuotedChainSchema>[]> {
  return (await listChains(client, { signal })).map((entry) => readResponse(QuotedChainSchema, entry));
}
