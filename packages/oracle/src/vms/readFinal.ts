import type { Clock } from "@crosscall/protocol/core";
import { type BoundedCache, createBoundedCache } from "../boundedCache.ts";
import type { AdditionalData } from "../chainFiles.ts";

/** What endpoints report of a transaction or an object, and whether it can still change. */
interface Reading<Found> {
  readonly found: Found;
  readonly isFinal: boolean;
}

/**
 * The only way to the transactions and blocks that a signature rests on. The endpoints are checked to serve the configured
 * chain by their RPC connection. The family's read throws for what is not deep enough or not on the canonical chain. What
 * is final is read once. The state of a withdrawal can change, so its family reads it again, at a final block.
 *
 * @returns undefined for what the chain does not have
 */
type ReadFinal<Key, Found> = (key: Key, read: () => Promise<Reading<Found> | undefined>) => Promise<Found | undefined>;

export function createReadFinal<Key, Found>(createCache: CreateReadCache): ReadFinal<Key, Found> {
  const final = createCache<Key, Found>();
  return async (key, read) => {
    const known = final.get(key);
    if (known !== undefined) return known;
    const reading = await read();
    if (reading?.isFinal === true) final.set(key, reading.found);
    return reading?.found;
  };
}

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
