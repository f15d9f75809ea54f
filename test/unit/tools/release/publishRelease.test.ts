import { expect } from "chai";

import { publishRelease, type Release, type ReleaseTools } from "../../../../tools/release/publishRelease.ts";

const RELEASE: Release = {
  version: "1.2.3",
  packages: ["a", "b", "c"],
  homepage: "https://example.com",
  changesets: 0,
  isInChangelog: true,
  isDryRun: false,
};

/** Tools that record what they do. */
function toolsWith(changed: Partial<ReleaseTools> = {}) {
  const actions: string[] = [];
  const tools: ReleaseTools = {
    isClean: () => Promise.resolve(true),
    commitOfTag: () => Promise.resolve(undefined),
    headCommit: () => Promise.resolve("head"),
    tag: (tag) => record(`tag ${tag}`),
    isReachable: (url) => Promise.resolve(url === "https://example.com/llms.txt"),
    isPublished: () => Promise.resolve(false),
    publish: (name, isDryRun) => record(`${isDryRun ? "try" : "publish"} ${name}`),
    check: () => record("check"),
    confirm: () => Promise.resolve(true),
    log: () => undefined,
    ...changed,
  };
  function record(action: string): Promise<void> {
    actions.push(action);
    return Promise.resolve();
  }
  return { actions, tools };
}

describe("a release", () => {
  it("checks, publishes in order and tags", async () => {
    const { actions, tools } = toolsWith();
    expect(await publishRelease(RELEASE, tools)).to.deep.equal({
      status: "published",
      packages: ["a", "b", "c"],
      tag: "v1.2.3",
    });
    expect(actions).to.deep.equal(["check", "publish a", "publish b", "publish c", "tag v1.2.3"]);
  });

  it("publishes nothing unless everything is ready", async () => {
    const cases: readonly [Partial<Release>, Partial<ReleaseTools>][] = [
      [{}, { isClean: () => Promise.resolve(false) }],
      [{}, { isReachable: () => Promise.resolve(false) }],
      [{}, { commitOfTag: () => Promise.resolve("other") }],
      [{ changesets: 1 }, {}],
      [{ isInChangelog: false }, {}],
    ];
    for (const [release, changed] of cases) {
      const { actions, tools } = toolsWith(changed);
      const result = await publishRelease({ ...RELEASE, ...release }, tools);
      expect(result.status === "refused" && result.obstacles.length).to.equal(1);
      expect(actions).to.deep.equal([]);
    }
  });

  it("stops if the checks fail or change files", async () => {
    const failing = toolsWith({ check: () => Promise.reject(new Error("failed")) });
    const error: unknown = await publishRelease(RELEASE, failing.tools).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error);
    let cleanings = 0;
    const changing = toolsWith({ isClean: () => Promise.resolve(cleanings++ === 0) });
    expect((await publishRelease(RELEASE, changing.tools)).status).to.equal("refused");
    expect([...failing.actions, ...changing.actions]).to.deep.equal(["check"]);
  });

  it("publishes nothing if the user declines", async () => {
    const { actions, tools } = toolsWith({ confirm: () => Promise.resolve(false) });
    expect(await publishRelease(RELEASE, tools)).to.deep.equal({ status: "declined" });
    expect(actions).to.deep.equal(["check"]);
  });

  it("resumes after a failure, and skips what npm has", async () => {
    const published = new Set<string>();
    let failures = 1;
    const { actions, tools } = toolsWith({
      isPublished: (name) => Promise.resolve(published.has(name)),
      publish: (name) => {
        if (name === "b" && failures-- > 0) return Promise.reject(new Error("failed"));
        published.add(name);
        return Promise.resolve();
      },
    });
    const error: unknown = await publishRelease(RELEASE, tools).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error);
    expect([...published]).to.deep.equal(["a"]);
    expect(await publishRelease(RELEASE, tools)).to.deep.equal({
      status: "published",
      packages: ["b", "c"],
      tag: "v1.2.3",
    });
    expect(actions).to.deep.equal(["check", "check", "tag v1.2.3"]);
  });

  it("asks nothing and keeps the tag if all is published", async () => {
    const { actions, tools } = toolsWith({
      isPublished: () => Promise.resolve(true),
      commitOfTag: () => Promise.resolve("head"),
      confirm: () => Promise.reject(new Error("asked")),
    });
    expect(await publishRelease(RELEASE, tools)).to.deep.equal({ status: "published", packages: [], tag: "v1.2.3" });
    expect(actions).to.deep.equal(["check"]);
  });

  it("publishes and tags nothing in a dry run, which returns the obstacles", async () => {
    const { actions, tools } = toolsWith({ isClean: () => Promise.resolve(false) });
    const result = await publishRelease({ ...RELEASE, isDryRun: true }, tools);
    expect(result.status === "tried" && result.packages).to.deep.equal(["a", "b", "c"]);
    expect(result.status === "tried" && result.obstacles.length).to.equal(1);
    expect(actions).to.deep.equal(["check", "try a", "try b", "try c"]);
  });
});
