import type { Clock } from "@crosscall/protocol/core";
import { type BoundedCache, createBoundedCache } from "../boundedCache.ts";
import type { AdditionalData } from "../chainFiles.ts";

const KEPT = 10_000;

/** A lie of a single endpoint must not outlast the endpoint's return to the truth. */
const ALONE_MS = 60_000;

/** Makes a cache for one kind of read. */
export type CreateReadCache = <Key, Value>() => BoundedCache<Key, Value>;

/** Caches of what is final on a chain: for good if several endpoints agreed on it, else for a minute. */
export function readCachesOf({ rpcAgreement = 1 }: AdditionalData, clock: Clock): CreateReadCache {
  const lifetime = rpcAgreement > 1 ? undefined : { clock, ms: ALONE_MS };
  return () => createBoundedCache(KEPT, lifetime);
}
