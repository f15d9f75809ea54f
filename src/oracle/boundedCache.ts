import type { Clock } from "@crosscall/sdk/internal/core/clock";

/** Evicts the least recently used entry when full. */
export interface BoundedCache<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  getOrAdd(key: Key, make: () => Value): Value;
}

/** How long an entry is kept after it is set. */
export interface Lifetime {
  readonly clock: Clock;
  readonly ms: number;
}

/** @param lifetime none by default */
export function createBoundedCache<Key, Value>(size: number, lifetime?: Lifetime): BoundedCache<Key, Value> {
  // A Map iterates in insertion order, so the first key is the least recently used.
  const entries = new Map<Key, { readonly value: Value; readonly until: number }>();
  /** Last in the order already: to move it again would take most of the time of a repeated call. */
  let newest: Key | undefined;
  const cache: BoundedCache<Key, Value> = {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (lifetime !== undefined && lifetime.clock.now() >= entry.until) {
        entries.delete(key);
        return undefined;
      }
      if (key !== newest) {
        entries.delete(key);
        entries.set(key, entry);
        newest = key;
      }
      return entry.value;
    },
    set(key, value) {
      newest = key;
      entries.delete(key);
      entries.set(key, { value, until: lifetime === undefined ? Infinity : lifetime.clock.now() + lifetime.ms });
      if (entries.size <= size) return;
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        return;
      }
    },
    delete: (key) => void entries.delete(key),
    getOrAdd(key, make) {
      const known = cache.get(key);
      if (known !== undefined) return known;
      const value = make();
      cache.set(key, value);
      return value;
    },
  };
  return cache;
}
