import { readFileSync } from "node:fs";

import { expect } from "chai";

interface Entry {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
}

const readJson = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8"));

describe("the lockfile", () => {
  it("contains a SHA-512 hash for each package, and names no registry", () => {
    const { packages } = readJson("package-lock.json") as { readonly packages: Readonly<Record<string, Entry>> };
    const installed = Object.entries(packages).filter(
      ([path, { link }]) => path.includes("node_modules/") && link !== true,
    );
    expect(installed.length).to.be.greaterThan(100);
    const isHashed = ({ integrity }: Entry): boolean => /^sha512-[\w+/]{86}==$/u.test(integrity ?? "");
    expect(installed.filter(([, entry]) => !isHashed(entry)).map(([path]) => path)).to.deep.equal([]);
    expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).to.deep.equal([]);
  });
});

describe("the example app", () => {
  it("pins exact versions, because it has no lockfile", () => {
    type Versions = Readonly<Record<string, string>>;
    const { dependencies, devDependencies } = readJson("examples/web/package.json") as {
      readonly dependencies: Versions;
      readonly devDependencies: Versions;
    };
    for (const version of Object.values({ ...dependencies, ...devDependencies })) {
      expect(version).to.match(/^(?:npm:.+@)?\d+\.\d+\.\d+$/u);
    }
  });
});
