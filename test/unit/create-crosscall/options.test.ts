import { expect } from "chai";

import { CreateError } from "../../../packages/create-crosscall/src/createError.ts";
import { detectPackageManager } from "../../../packages/create-crosscall/src/packageManager.ts";
import {
  packageNameFlaw,
  packageNameOf,
  similarPackageName,
} from "../../../packages/create-crosscall/src/packageName.ts";
import { parseOptions } from "../../../packages/create-crosscall/src/parseOptions.ts";
import { isOlder } from "../../../packages/create-crosscall/src/runCommand.ts";

describe("the options of create-crosscall", () => {
  it("include a folder, a template and flags", () => {
    const none = { yes: false, install: false, help: false, version: false, template: undefined, folder: undefined };
    expect(parseOptions([])).to.deep.equal(none);
    const given = { ...none, folder: "shop", template: "app", yes: true, install: true };
    expect(parseOptions(["shop", "--template", "app", "--yes", "--install"])).to.deep.equal(given);
    expect(parseOptions(["-y", "-t", "app", "shop", "--install"])).to.deep.equal(given);
    expect(parseOptions(["-h", "-v"])).to.deep.equal({ ...none, help: true, version: true });
  });

  it("are rejected if they are unknown, or if there are too many", () => {
    // `npm create crosscall shop --template app` passes only the template's name, without the option.
    for (const args of [
      ["shop", "app"],
      ["--template", "game"],
      ["--template", "toString"],
      ["--template"],
      ["--json"],
    ]) {
      expect(() => parseOptions(args), args.join(" "))
        .to.throw(CreateError)
        .with.property("code", "INVALID_INPUT");
    }
  });

  it("name the package after its folder", () => {
    expect(packageNameOf("/home/me", "a/shop")).to.equal("shop");
    expect(packageNameOf("/home/me", ".")).to.equal("me");
    for (const name of ["shop", "my-proxy", "2_a.b~c", "a".repeat(214)])
      expect(packageNameFlaw(name)).to.equal(undefined);
    for (const name of [
      "",
      "Shop",
      "my shop",
      ".shop",
      "_shop",
      "@me",
      "shöp",
      "node_modules",
      "crosscall",
      "a".repeat(215),
    ]) {
      expect(packageNameFlaw(name), name).to.be.a("string");
    }
  });

  it("suggest a name if the given name is rejected", () => {
    const names = ["My Shop", "_shop", "@me/shop", "crosscall", "é", "A".repeat(300)];
    const proposals = ["my-shop", "shop", "me-shop", "my-crosscall", "my-project", "a".repeat(214)];
    expect(names.map(similarPackageName)).to.deep.equal(proposals);
    expect(proposals.map(packageNameFlaw)).to.deep.equal(proposals.map(() => undefined));
  });
});

describe("the commands that create-crosscall prints", () => {
  it("use the package manager that started create-crosscall", () => {
    const agents = ["npm/10.9.0 node/v22.12.0", "pnpm/9.1.0 npm/? node/v22.12.0", "yarn/4.1.0", "bun/1.1.0", undefined];
    const tests = ["npm test", "pnpm test", "yarn test", "bun run test", "npm test"];
    expect(agents.map((agent) => detectPackageManager(agent).test)).to.deep.equal(tests);
  });

  it("require the project's Node.js version", () => {
    const versions = ["20.19.0", "22.12.9", "22.13.0", "24.0.0"];
    expect(versions.map((version) => isOlder(version, ">=22.13"))).to.deep.equal([true, true, false, false]);
  });
});
