import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { readChangesets } from "../../../../tools/release/releaseLevel.ts";

describe("the changesets", () => {
  it("have levels", async () => {
    const root = await mkdtemp(join(tmpdir(), "crosscall-changesets-"));
    try {
      expect(await readChangesets(root)).to.deep.equal([]);
      const folder = join(root, ".changeset");
      await mkdir(folder);
      await writeFile(join(folder, "README.md"), "# Changesets\n\nLevels: major, minor or patch\n");
      await writeFile(join(folder, "a.md"), '---\n"@kit/a": minor\n"b": "patch"\n---\n\nDrop c: major\n');
      await writeFile(join(folder, "empty.md"), "---\n---\n");
      expect((await readChangesets(root)).toSorted()).to.deep.equal(["minor", "patch"]);
    } finally {
      await rm(root, { recursive: true });
    }
  });
});
