import { expect } from "chai";

import { isInChangelog, releaseChangelog } from "../../../../tools/release/releaseChangelog.ts";

const CHANGELOG = "# Changelog\n\n## Unreleased\n\n### Added\n\n- a\n\n## 0.1.0 (2026-01-31)\n\n- b\n";

describe("the changelog of a release", () => {
  it("gets a dated section, and an empty one for what comes next", () => {
    const released = releaseChangelog(CHANGELOG, "0.2.0", "2026-02-28");
    expect(released).to.equal(
      "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-28)\n\n### Added\n\n- a\n\n## 0.1.0 (2026-01-31)\n\n- b\n",
    );
    expect(() => releaseChangelog(released, "0.3.0", "2026-03-31")).to.throw();
    expect(() => releaseChangelog("# Changelog\n", "0.3.0", "2026-03-31")).to.throw();
  });

  it("has a section of a version, or not", () => {
    expect(isInChangelog(CHANGELOG, "0.1.0")).to.equal(true);
    expect(isInChangelog(CHANGELOG, "0.1")).to.equal(false);
    expect(isInChangelog(CHANGELOG, "0.2.0")).to.equal(false);
  });
});
