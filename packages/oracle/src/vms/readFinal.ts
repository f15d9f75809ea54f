import type { CreateReadCache } from "./readCache.ts";

/** What endpoints report of a transaction or an object, and whether it can still change. */
export interface Reading<Found> {
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
export type ReadFinal<Key, Found> = (
  key: Key,
  read: () => Promise<Reading<Found> | undefined>,
) => Promise<Found | undefined>;

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
