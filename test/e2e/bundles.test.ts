import { expect } from "chai";
import { build } from "esbuild";

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

  it("load the verification of SVM transactions only for these", async () => {
    const { metafile } = await build({
      entryPoints: ["@crosscall/sdk/verify"],
      external: ["viem"],
      bundle: true,
      splitting: true,
      format: "esm",
      metafile: true,
      outdir: "out",
      write: false,
    });
    const [loader] = Object.values(metafile.outputs).flatMap(({ entryPoint, imports }) =>
      entryPoint?.endsWith("sdk/src/verify.ts") === true ? [imports] : [],
    );
    const file = /verifySvmTransaction/u;
    expect(loader?.filter(({ path }) => file.test(path)).map(({ kind }) => kind)).to.deep.equal(["dynamic-import"]);
    const loaded = Object.entries(metafile.outputs).filter(([name]) => !file.test(name));
    expect(loaded.flatMap(([, { inputs }]) => Object.keys(inputs).filter((input) => file.test(input)))).to.deep.equal(
      [],
    );
  });
});
