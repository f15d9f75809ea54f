import { readFileSync } from "node:fs";

import { expect } from "chai";

import { PUBLISHED_PACKAGES } from "../../../tools/packages/publishedPackages.ts";
import { createProgram } from "../../../packages/crosscall/src/program.ts";
import { VERSION } from "../../../packages/crosscall/src/artifacts.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

describe("the version", () => {
  it("is the same for all packages, which depend on each other at that version", () => {
    for (const { name, folder } of PUBLISHED_PACKAGES) {
      const path = new URL(`../../../${folder}/package.json`, import.meta.url);
      const manifest = JSON.parse(readFileSync(path, "utf8")) as Manifest;
      expect([manifest.name, manifest.version]).to.deep.equal([name, VERSION]);
      for (const [dependency, version] of Object.entries(manifest.dependencies ?? {})) {
        if (PUBLISHED_PACKAGES.some((other) => other.name === dependency))
          expect(version, dependency).to.equal(VERSION);
      }
    }
  });

  it("is printed by the command", async () => {
    expect((await createProgram([])).version()).to.equal(VERSION);
  });
});
