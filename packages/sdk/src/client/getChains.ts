import { type ChainEntry, ChainEntrySchema } from "@crosscall/protocol/common";
import { readResponse } from "@crosscall/protocol/schema";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";
import * as T from "@crosscall/protocol/schema/type";

/** Chains and their contracts change rarely. */
const MAX_AGE_MS = 5 * 60_000;

/** Entries are parsed one by one, so that none invalidates the list. */
const ChainPageSchema = T.Object({ chains: T.Array(T.Unknown()) });

export interface GetChainsParameters {
  /** Maximum age of a cached response in milliseconds; five minutes by default, 0 for a new one. */
  readonly maxAgeMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const cache = new WeakMap<ServiceClient, { readonly chains: readonly ChainEntry[]; readonly takenAt: number }>();

/** Returns the chains of the service (`GET /chains`; spec 4, section 3). The client caches them for a few minutes. */
export async function getChains(
  client: ServiceClient,
  { maxAgeMs = MAX_AGE_MS, signal }: GetChainsParameters = {},
): Promise<readonly ChainEntry[]> {
  const cached = cache.get(client);
  const ageMs = cached === undefined ? Infinity : client.timer.now() - cached.takenAt;
  // A clock that was set back would make any response look fresh.
  if (cached !== undefined && ageMs >= 0 && ageMs < maxAgeMs) return cached.chains;
  const response = await callService(client, {
    method: "GET",
    path: "/chains",
    schema: ChainPageSchema,
    needs: ["chains"],
    signal,
  });
  const chains = response.chains.map((entry) => readResponse(ChainEntrySchema, entry));
  cache.set(client, { chains, takenAt: client.timer.now() });
  return chains;
}
