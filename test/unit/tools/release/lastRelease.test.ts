import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { readLastRelease, REPORTS_FOLDER } from "../../../../tools/release/lastRelease.ts";

describe("the last release", () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "crosscall-repository-"));
  });

  afterEach(async () => {
    await rm(root, { recursive: true });
  });

  function git(...args: readonly string[]): void {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@a.example", "-c", "commit.gpgSign=false"];
    execFileSync("git", [...identity, ...args], { cwd: root, stdio: "ignore" });
  }

  async function commit(report: string, ...tags: readonly string[]): Promise<void> {
    await mkdir(join(root, REPORTS_FOLDER), { recursive: true });
    await writeFile(join(root, REPORTS_FOLDER, "a.md"), report);
    git("add", "-A");
    git("commit", "-m", report);
    for (const tag of tags) git("tag", tag);
  }

  it("is that of the highest version below the commit, with its reports", async () => {
    git("init", "--initial-branch", "main");
    await commit("first", "v0.9.0");
    await commit("second", "v0.10.0", "v0.10.0-next.1", "version", "v1");
    await commit("third");
    git("checkout", "-b", "other");
    await commit("fourth", "v2.0.0");
    git("checkout", "main");
    expect(await readLastRelease(root)).to.deep.equal({ version: "0.10.0", reports: { "a.md": "second" } });
  });

  it("is unknown without Git, without commits and without tags", async () => {
    // Otherwise Git would look for a repository above.
    await writeFile(join(root, ".git"), "gitdir: none\n");
    expect(await readLastRelease(root)).to.equal(undefined);
    await rm(join(root, ".git"));
    git("init", "--initial-branch", "main");
    expect(await readLastRelease(root)).to.equal(undefined);
    await commit("first");
    expect(await readLastRelease(root)).to.equal(undefined);
  });
});
