import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { readText, writeChange } from "../../../../../packages/crosscall/src/commands/init/run.ts";
import { factsOf, rejected } from "../../../../support/rejection.ts";

describe("writeChange", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-change-"));
    await writeFile(join(folder, "file"), "old");
  });
  afterEach(() => rm(folder, { recursive: true }));

  const edit = { path: "file", action: "edit", details: [], before: "old", after: "new" } as const;
  const create = { path: "a/b", action: "create", details: [], after: "new" } as const;

  it("edits a file that matches the plan, and creates files with their folders", async () => {
    await writeChange(folder, edit);
    await writeChange(folder, create);
    expect(["file", "a/b", "none", "file/none"].map((path) => readText(join(folder, path)))).to.deep.equal([
      ...["new", "new", undefined, undefined],
    ]);
  });

  it("does not change a file that was changed or created after the plan was made", async () => {
    await writeChange(folder, create);
    await writeFile(join(folder, "file"), "mine");
    for (const change of [edit, { ...create, after: "other" }]) {
      expect(factsOf(await rejected(writeChange(folder, change)))).to.include({
        code: "INVALID_INPUT",
        field: "folder",
        value: JSON.stringify(change.path),
      });
    }
    expect([await readFile(join(folder, "file"), "utf8"), readText(join(folder, "a/b"))]).to.deep.equal([
      "mine",
      "new",
    ]);
  });

  it("does not write to a path below a file", async () => {
    expect(factsOf(await rejected(writeChange(folder, { ...create, path: "file/b" })))).to.include({
      code: "INVALID_INPUT",
      field: "folder",
    });
  });
});
