import { expect } from "chai";

import type { Lockfile } from "../../../../tools/release/productionLock.ts";
import { type Sbom, sbomFaults } from "../../../../tools/release/writeSboms.ts";

const MANIFEST = { name: "@kit/library", version: "1.0.0" };

const LOCK: Lockfile = {
  lockfileVersion: 3,
  packages: {
    "": MANIFEST,
    "node_modules/a": { version: "1.0.0" },
    "node_modules/a/node_modules/b": { version: "2.0.0" },
  },
};

const SBOM: Sbom = {
  bomFormat: "CycloneDX",
  metadata: { component: MANIFEST },
  components: [
    { name: "a", version: "1.0.0" },
    { name: "b", version: "2.0.0" },
  ],
};

describe("the list of what a package installs", () => {
  it("is of the package, and names its dependencies only", () => {
    expect(sbomFaults(SBOM, MANIFEST, LOCK)).to.deep.equal([]);
    const wrong: readonly Sbom[] = [
      { ...SBOM, bomFormat: "SPDX" },
      { ...SBOM, metadata: { component: { ...MANIFEST, version: "1.0.1" } } },
      { ...SBOM, components: SBOM.components.slice(1) },
      { ...SBOM, components: [...SBOM.components, { name: "tool", version: "1.0.0" }] },
    ];
    for (const sbom of wrong) expect(sbomFaults(sbom, MANIFEST, LOCK)).to.have.length(1);
  });
});
