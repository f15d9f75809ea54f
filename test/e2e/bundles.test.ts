import { expect } from "chai";

import { judge } from "../../bench/library/bars.ts";
import { measureBundles } from "../../bench/library/bundles.ts";

describe("the light entry points", () => {
  it("stay within the size limits of bench:library, with and without viem", async () => {
    const bars = judge(await measureBundles(new AbortController().signal, 1));
    expect(bars.map(({ name, dependencies }) => `${name}, ${dependencies}`)).to.deep.equal(
      [
        "crosscall, the SDK's job: first load",
        "crosscall, the SDK's job: whole, without the verification",
        "crosscall, the SDK's job: whole, with the verification",
        "@crosscall/sdk",
        "@crosscall/sdk/calls",
        "@crosscall/sdk/verify",
        "@crosscall/sdk/attestation",
        "@crosscall/sdk/migrate",
        "@crosscall/protocol",
        "@crosscall/protocol/abi",
      ].flatMap((name) => [`${name}, with viem`, `${name}, without viem`]),
    );
    expect(bars.filter(({ isMet }) => !isMet)).to.deep.equal([]);
  });
});
