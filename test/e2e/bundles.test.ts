import { expect } from "chai";

import { judge } from "../../bench/library/bars.ts";
import { measureBundles } from "../../bench/library/bundles.ts";

describe("the light entry points", () => {
  it("are smaller than the service's published SDK, by the limits of bench:library", async () => {
    const bars = judge(await measureBundles(new AbortController().signal, 1));
    expect(bars.map(({ name }) => name)).to.deep.equal([
      "crosscall, the SDK's job",
      "crosscall, the SDK's job, and the verification",
      "@crosscall/sdk",
      "@crosscall/sdk/calls",
      "@crosscall/sdk/protocol",
    ]);
    expect(bars.filter(({ isMet }) => !isMet)).to.deep.equal([]);
  });
});
