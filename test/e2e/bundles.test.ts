import { expect } from "chai";

import { judge } from "../../bench/library/bars.ts";
import { measureBundles } from "../../bench/library/bundles.ts";

describe("the light entry points", () => {
  it("are smaller than the service's published SDK, by the limits of bench:library", async () => {
    const bars = judge(await measureBundles(new AbortController().signal, 1));
    expect(bars.map(({ name, size }) => [name, size])).to.deep.equal([
      ["crosscall, the SDK's job", "withoutViem"],
      ["crosscall, the SDK's job", "whole"],
      ["@crosscall/sdk", "whole"],
      ["@crosscall/sdk/calls", "whole"],
      ["@crosscall/sdk/protocol", "whole"],
    ]);
    expect(bars.filter(({ isMet }) => !isMet)).to.deep.equal([]);
  });
});
