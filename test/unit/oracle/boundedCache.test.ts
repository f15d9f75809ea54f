import { expect } from "chai";

import { createBoundedCache } from "../../../src/oracle/boundedCache.ts";

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

  it("drops an entry after its lifetime, which begins when it is set", () => {
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
  });

  it("makes a value once", () => {
    const cache = createBoundedCache<string, number>(2);
    let made = 0;
    const make = (): number => ++made;
    expect([cache.getOrAdd("a", make), cache.getOrAdd("a", make), cache.getOrAdd("b", make)]).to.deep.equal([1, 1, 2]);
  });
});
