import * as Type from "typebox";

import { type ChainEntry, ChainEntrySchema } from "../protocol/common/chainEntry.ts";
import { readResponse } from "../protocol/schema/readResponse.ts";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";

/** Chains and their contracts change rarely. */
const MAX_AGE_MS = 5 * 60_000;

/** Entries are read one by one, so that none can make the list unreadable. */
const ChainPageSchema = Type.Object({ chains: Type.Array(Type.Unknown()) });

/** What {@link getChains} takes. */
export interface GetChainsParameters {
  /** How old an answer may be that is given again, in milliseconds; five minutes when left out, 0 to ask anew. */
  readonly maxAgeMs?: number;
  readonly signal?: AbortSignal | undefined;
}

interface CachedChains {
  readonly chains: readonly ChainEntry[];
  readonly takenAt: number;
}

const cache = new WeakMap<ServiceClient, CachedChains>();

/** Returns the chains of the service (`GET /chains`; spec 4, section 3). The client caches them for a few minutes. */
export async function getChains(
  client: ServiceClient,
  { maxAgeMs = MAX_AGE_MS, signal }: GetChainsParameters = {},
): Promise<readonly ChainEntry[]> {
  const cached = cache.get(client);
  const ageMs = cached === undefined ? Infinity : client.timer.now() - cached.takenAt;
  // A clock that was set back makes an answer of any age look new.
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
