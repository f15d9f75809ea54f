import { readFileSync } from "node:fs";

import { expect } from "chai";

interface Entry {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
}

describe("the lockfiles", () => {
  for (const name of ["package-lock.json", "examples/web/package-lock.json"]) {
    it(`have a SHA-512 hash for each package of ${name}, and name no registry`, () => {
      const text = readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8");
      const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, Entry>> };
      const installed = Object.entries(packages).filter(
        ([path, { link }]) => path.includes("node_modules/") && link !== true,
      );
      expect(installed.length).to.be.greaterThan(100);
      const isHashed = ({ integrity }: Entry): boolean => /^sha512-[\w+/]{86}==$/u.test(integrity ?? "");
      expect(installed.filter(([, entry]) => !isHashed(entry)).map(([path]) => path)).to.deep.equal([]);
      expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).to.deep.equal([]);
    });
  }
});
