import type { Clock } from "@crosscall/protocol/core";

/** A cache that evicts the least recently used entry when full. */
export interface BoundedCache<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  getOrAdd(key: Key, make: () => Value): Value;
}

/** Time that an entry is kept after it is set. */
export interface Lifetime {
  readonly clock: Clock;
  readonly ms: number;
}

interface Entry<Key, Value> {
  readonly key: Key;
  readonly value: Value;
  readonly until: number;
  /** Neighbors in order of use: the entries that were used just before and just after this entry. */
  older: Entry<Key, Value> | undefined;
  newer: Entry<Key, Value> | undefined;
}

/** @param lifetime lifetime of entries; unlimited by default */
export function createBoundedCache<Key, Value>(size: number, lifetime?: Lifetime): BoundedCache<Key, Value> {
  // Keeps the order in a linked list, because a Map finds its first key slowly after many deletions.
  const entries = new Map<Key, Entry<Key, Value>>();
  let oldest: Entry<Key, Value> | undefined;
  let newest: Entry<Key, Value> | undefined;

  const unlink = (entry: Entry<Key, Value>): void => {
    if (entry.older === undefined) oldest = entry.newer;
    else entry.older.newer = entry.newer;
    if (entry.newer === undefined) newest = entry.older;
    else entry.newer.older = entry.older;
  };
  const append = (entry: Entry<Key, Value>): void => {
    entry.older = newest;
    entry.newer = undefined;
    if (newest === undefined) oldest = entry;
    else newest.newer = entry;
    newest = entry;
  };
  const remove = (entry: Entry<Key, Value> | undefined): void => {
    if (entry === undefined) return;
    unlink(entry);
    entries.delete(entry.key);
  };

  const cache: BoundedCache<Key, Value> = {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (lifetime !== undefined) {
        const left = entry.until - lifetime.clock.now();
        // Limits the age in both directions, so that an entry does not last longer if the clock is set back.
        if (left <= 0 || left > lifetime.ms) {
          remove(entry);
          return undefined;
        }
      }
      if (entry !== newest) {
        unlink(entry);
        append(entry);
      }
      return entry.value;
    },
    set(key, value) {
      remove(entries.get(key));
      const until = lifetime === undefined ? Infinity : lifetime.clock.now() + lifetime.ms;
      const entry = { key, value, until, older: undefined, newer: undefined };
      append(entry);
      entries.set(key, entry);
      if (entries.size > size) remove(oldest);
    },
    delete: (key) => remove(entries.get(key)),
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
