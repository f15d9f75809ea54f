import { expect } from "chai";

import { PUBLISHED_PACKAGES } from "../../../tools/packages/publishedPackages.ts";
import { checkProject, type Manifest } from "../../../packages/crosscall/src/commands/doctor/checkProject.ts";

const PROGRAM: Manifest = { name: "crosscall", version: "1.0.0", engines: { node: ">=22" } };

const statesOf = (packages: readonly Manifest[], nodeVersion = "24.1.0") =>
  checkProject({
    nodeVersion,
    program: PROGRAM,
    find: (name) => packages.find((manifest) => manifest.name === name),
  }).map(({ name, state, seen }) => [name, state, seen]);

describe("the project checks", () => {
  it("require a supported Node.js version", () => {
    expect(statesOf([PROGRAM], "20.1.0")[0]).to.deep.equal(["Node.js >=22", "failed", "20.1.0"]);
    expect(statesOf([PROGRAM])[0]).to.deep.equal(["Node.js >=22", "ok", "24.1.0"]);
  });

  it("require the same version of all packages", () => {
    const name = "all packages have the same version";
    const others = PUBLISHED_PACKAGES.filter((other) => !/^(?:create-)?crosscall$/u.test(other.name));
    expect(others).to.have.length(4);
    for (const other of others) {
      const seen = `crosscall 1.0.0, ${other.name} 1.1.0`;
      expect(statesOf([PROGRAM, { ...other, version: "1.1.0" }])[1]).to.deep.equal([name, "failed", seen]);
    }
    expect(statesOf([PROGRAM])[1]).to.deep.equal([name, "ok", "crosscall 1.0.0"]);
    expect(statesOf([{ ...PROGRAM, version: "0.9.0" }])[1]).to.deep.equal([
      name,
      "warning",
      "crosscall 0.9.0; this command is 1.0.0",
    ]);
    expect(statesOf([])[1]).to.deep.equal(["crosscall is installed here", "skipped", "no package"]);
  });

  it("require peer dependencies within their ranges, unless they are optional and missing", () => {
    const sdk: Manifest = {
      name: "@crosscall/sdk",
      version: "1.0.0",
      peerDependencies: { viem: ">=2.38.0 <3", chai: "^6.0.0" },
      peerDependenciesMeta: { chai: { optional: true } },
    };
    const name = "viem >=2.38.0 <3 for @crosscall/sdk";
    const last = (...others: Manifest[]) => statesOf([sdk, ...others]).slice(2);
    expect(last({ name: "viem", version: "2.40.0" })).to.deep.equal([[name, "ok", "2.40.0"]]);
    expect(last({ name: "viem", version: "1.40.0" })).to.deep.equal([[name, "failed", "1.40.0"]]);
    expect(last()).to.deep.equal([[name, "failed", "not installed"]]);
    expect(last({ name: "viem", version: "2.40.0" }, { name: "chai", version: "5.0.0" })[1]).to.deep.equal([
      "chai ^6.0.0 for @crosscall/sdk",
      "failed",
      "5.0.0",
    ]);
  });
});
