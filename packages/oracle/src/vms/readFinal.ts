import type { Clock } from "@crosscall/protocol/core";
import { type BoundedCache, createBoundedCache } from "../boundedCache.ts";
import type { AdditionalData } from "../chainFiles.ts";

/** A value from the endpoints, and whether it can still change. */
interface Reading<Found> {
  readonly found: Found;
  readonly isFinal: boolean;
}

/**
 * Reads a transaction or block that a signature depends on. The RPC connection checks that the endpoints serve the
 * configured chain. The family's read throws for data that is not deep enough or not on the canonical chain. Final data
 * is read once. The state of a withdrawal can change, so the family reads it again at a final block.
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

/** Cache time of a single endpoint's result, so that a wrong result does not stay for long. */
const ALONE_MS = 60_000;

/** Creates a cache for one kind of read. */
export type CreateReadCache = <Key, Value>() => BoundedCache<Key, Value>;

/** Caches final data of a chain: permanently if several endpoints must agree, and otherwise for a minute. */
export function readCachesOf({ rpcAgreement = 1 }: AdditionalData, clock: Clock): CreateReadCache {
  const lifetime = rpcAgreement > 1 ? undefined : { clock, ms: ALONE_MS };
  return () => createBoundedCache(KEPT, lifetime);
}
