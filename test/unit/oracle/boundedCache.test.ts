import { expect } from "chai";
import fc from "fast-check";

import { createBoundedCache } from "../../../packages/oracle/src/boundedCache.ts";

describe("createBoundedCache", () => {
  it("evicts the least recently used entry", () => {
    const cache = createBoundedCache<string, number>(2);
    cache.set("a", 1);
    cache.set("b", 2);
    expect(cache.get("a")).to.equal(1);
    cache.set("c", 3);
    expect([cache.get("a"), cache.get("b"), cache.get("c")]).to.deep.equal([1, undefined, 3]);
    cache.set("a", 4);
    cache.set("d", 5);
    expect([cache.get("a"), cache.get("c"), cache.get("d")]).to.deep.equal([4, undefined, 5]);
    cache.delete("a");
    expect(cache.get("a")).to.equal(undefined);
  });

  it("evicts the least recently used key after any sequence of reads, writes and deletions", () => {
    const step = fc.record({ does: fc.constantFrom("get", "set", "delete"), key: fc.nat(6) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const cache = createBoundedCache<number, number>(3);
        let used: number[] = [];
        for (const { does, key } of steps) {
          const isKnown = used.includes(key);
          if (does === "get") expect(cache.get(key)).to.equal(isKnown ? key : undefined);
          else if (does === "set") cache.set(key, key);
          else cache.delete(key);
          const others = used.filter((other) => other !== key);
          const isKept = does === "set" || (does === "get" && isKnown);
          used = (isKept ? [...others, key] : others).slice(-3);
        }
      }),
    );
  });

  it("drops an entry at the end of its lifetime, which starts when the entry is set", () => {
    let now = 0;
    const cache = createBoundedCache<string, number>(2, { clock: { now: () => now }, ms: 10 });
    cache.set("a", 1);
    now = 9;
    expect(cache.get("a")).to.equal(1);
    now = 10;
    expect(cache.get("a")).to.equal(undefined);
    cache.set("a", 2);
    now = 19;
    expect(cache.get("a")).to.equal(2);
    // The clock is set back.
    now = 9;
    expect(cache.get("a")).to.equal(undefined);
  });

  it("creates each value only once", () => {
    const cache = createBoundedCache<string, number>(2);
    let made = 0;
    const make = (): number => ++made;
    expect([cache.getOrAdd("a", make), cache.getOrAdd("a", make), cache.getOrAdd("b", make)]).to.deep.equal([1, 1, 2]);
  });
});
