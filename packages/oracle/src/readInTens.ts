const READS_AT_ONCE = 10;

/** Reads ten items at a time, so that a rejected request does not cause many reads. Throws the first item's error. */
export async function readInTens<Item, Value>(
  items: readonly Item[],
  read: (item: Item, index: number) => Promise<Value>,
): Promise<readonly Value[]> {
  const values: Value[] = [];
  while (values.length < items.length) {
    const start = values.length;
    const reads = items.slice(start, start + READS_AT_ONCE).map((item, offset) => read(item, start + offset));
    await Promise.allSettled(reads);
    values.push(...(await Promise.all(reads)));
  }
  return values;
}
