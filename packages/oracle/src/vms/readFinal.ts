import type { Clock } from "@crosscall/protocol/core";
import { type BoundedCache, createBoundedCache } from "../boundedCache.ts";
import type { AdditionalData } from "../chainFiles.ts";

/** A transaction or object as endpoints report it, and whether it can still change. */
interface Reading<Found> {
  readonly found: Found;
  readonly isFinal: boolean;
}

/**
 * Reads every transaction and block that a signature depends on. The RPC connection checks that the endpoints serve the
 * configured chain. The family's read throws for data that is not deep enough or not on the canonical chain. Final data
 * is read once. The state of a withdrawal can change, so its family reads it again, at a final block.
 *
 * @returns undefined if the chain does not have it
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

/** A single endpoint's wrong result must not outlast its correction. */
const ALONE_MS = 60_000;

/** Makes a cache for one kind of read. */
export type CreateReadCache = <Key, Value>() => BoundedCache<Key, Value>;

/** Caches a chain's final data: permanently if several endpoints agreed on it, else for a minute. */
export function readCachesOf({ rpcAgreement = 1 }: AdditionalData, clock: Clock): CreateReadCache {
  const lifetime = rpcAgreement > 1 ? undefined : { clock, ms: ALONE_MS };
  return () => createBoundedCache(KEPT, lifetime);
}
