/** Evicts the least recently used entry when full. */
export interface BoundedCache<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  getOrAdd(key: Key, make: () => Value): Value;
}

export function createBoundedCache<Key, Value>(size: number): BoundedCache<Key, Value> {
  // A Map iterates in insertion order, so the first key is the least recently used.
  const values = new Map<Key, Value>();
  const cache: BoundedCache<Key, Value> = {
    get(key) {
      const value = values.get(key);
      if (value === undefined) return undefined;
      values.delete(key);
      values.set(key, value);
      return value;
    },
    set(key, value) {
      values.delete(key);
      values.set(key, value);
      if (values.size <= size) return;
      for (const oldest of values.keys()) {
        values.delete(oldest);
        return;
      }
    },
    delete: (key) => void values.delete(key),
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
