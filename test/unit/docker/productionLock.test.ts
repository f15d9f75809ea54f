import { readFileSync } from "node:fs";

import { expect } from "chai";

import { type Lockfile, productionLock, type WorkspaceManifest } from "../../../docker/oracle/productionLock.ts";

const LOCKFILE: Lockfile = {
  lockfileVersion: 3,
  packages: {
    "": { name: "root", version: "1.0.0" },
    "node_modules/@kit/library": { resolved: "library", link: true },
    library: { name: "@kit/library", version: "1.0.0", dependencies: { shared: "^1.0.0" } },
    "node_modules/shared": { version: "1.1.0", dependencies: { deep: "^2.0.0" }, optionalDependencies: { other: "1" } },
    "node_modules/shared/node_modules/deep": { version: "2.0.0", dependencies: { shared: "^1.0.0", peer: "1" } },
    "node_modules/deep": { version: "1.0.0" },
    "node_modules/peer": { version: "1.0.0" },
    "node_modules/optional": { version: "1.0.0" },
    "node_modules/tool": { version: "1.0.0" },
  },
};

function namesIn({ packages }: Lockfile): readonly string[] {
  const paths = Object.keys(packages).filter((path) => path !== "");
  return [...new Set(paths.map((path) => path.replace(/^.*node_modules\//u, "")))].toSorted();
}

describe("a package's production dependencies", () => {
  it("include the packages that its dependencies and required peers need, but no tools", () => {
    const lock = productionLock(LOCKFILE, {
      name: "root",
      version: "1.0.0",
      dependencies: { "@kit/library": "1.0.0" },
      peerDependencies: { peer: "*", optional: "*" },
      peerDependenciesMeta: { optional: { optional: true } },
    });
    expect(Object.keys(lock.packages).toSorted()).to.deep.equal([
      "",
      "node_modules/@kit/library",
      "node_modules/peer",
      "node_modules/shared",
      "node_modules/shared/node_modules/deep",
    ]);
    expect(lock.packages["node_modules/@kit/library"]).to.deep.equal(LOCKFILE.packages.library);
    expect(namesIn(lock)).to.deep.equal(["@kit/library", "deep", "peer", "shared"]);
  });

  it("exclude packages that are needed only for development", () => {
    const manifest = { name: "root", version: "1.0.0", devDependencies: { tool: "1.0.0" }, workspaces: ["library"] };
    expect(productionLock(LOCKFILE, manifest).packages).to.deep.equal({ "": { name: "root", version: "1.0.0" } });
  });

  it("of crosscall include no key service client", () => {
    const read = (name: string): unknown =>
      JSON.parse(readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8"));
    const names = namesIn(
      productionLock(
        read("package-lock.json") as Lockfile,
        read("packages/crosscall/package.json") as WorkspaceManifest,
      ),
    );
    expect(names).to.include("fastify");
    expect(names.filter((name) => /^@(aws|smithy)/u.test(name))).to.deep.equal([]);
  });
});
