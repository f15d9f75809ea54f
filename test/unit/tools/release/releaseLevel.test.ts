import { expect } from "chai";

import { decideRelease, type ReleaseState } from "../../../../tools/release/releaseLevel.ts";

const STATE: ReleaseState = {
  released: "1.2.3",
  version: "1.2.3",
  changesets: [],
  changes: { removed: [], added: [] },
};

const REMOVED = { removed: ["a"], added: [] };
const CHANGED = { removed: ["a"], added: ["b"] };
const ADDED = { removed: [], added: ["b"] };

describe("the level of the next release", () => {
  it("is major if the API lost or changed something", () => {
    for (const changes of [REMOVED, CHANGED]) {
      expect(decideRelease({ ...STATE, changes, changesets: ["minor"] })).to.deep.equal({
        needed: "major",
        planned: "minor",
        isAllowed: false,
      });
      expect(decideRelease({ ...STATE, changes, changesets: ["patch", "major"] })).to.deep.equal({
        needed: "major",
        planned: "major",
        isAllowed: true,
      });
    }
  });

  it("is minor if the API gained something", () => {
    expect(decideRelease({ ...STATE, changes: ADDED, changesets: ["patch"] })).to.deep.equal({
      needed: "minor",
      planned: "patch",
      isAllowed: false,
    });
    expect(decideRelease({ ...STATE, changes: ADDED, changesets: ["minor"] }).isAllowed).to.equal(true);
  });

  it("is one lower below 1.0.0", () => {
    const state = { ...STATE, released: "0.2.3", version: "0.2.3" };
    expect(decideRelease({ ...state, changes: REMOVED, changesets: ["patch"] })).to.deep.equal({
      needed: "minor",
      planned: "patch",
      isAllowed: false,
    });
    expect(decideRelease({ ...state, changes: REMOVED, changesets: ["minor"] }).isAllowed).to.equal(true);
    expect(decideRelease({ ...state, changes: ADDED, changesets: ["patch"] }).isAllowed).to.equal(true);
  });

  it("is open without changesets", () => {
    expect(decideRelease({ ...STATE, changes: ADDED })).to.deep.equal({
      needed: "minor",
      planned: undefined,
      isAllowed: false,
    });
    expect(decideRelease(STATE)).to.deep.equal({ needed: undefined, planned: undefined, isAllowed: true });
  });

  it("is that of the version once the release is prepared", () => {
    expect(decideRelease({ ...STATE, version: "2.0.0", changes: REMOVED })).to.deep.equal({
      needed: "major",
      planned: "major",
      isAllowed: true,
    });
    expect(decideRelease({ ...STATE, version: "1.2.4", changes: REMOVED })).to.deep.equal({
      needed: "major",
      planned: "patch",
      isAllowed: false,
    });
    // Changed again after the release was prepared.
    expect(decideRelease({ ...STATE, version: "1.2.4", changes: REMOVED, changesets: ["major"] }).planned).to.equal(
      "major",
    );
    expect(decideRelease({ ...STATE, version: "2.0.0-next.0", changes: REMOVED }).planned).to.equal("major");
  });
});
