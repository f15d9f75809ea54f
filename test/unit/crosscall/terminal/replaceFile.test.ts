import { execFileSync } from "node:child_process";
import { chmod, link, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { isSameFile, replaceFile } from "../../../../packages/crosscall/src/terminal/replaceFile.ts";
import { CrosscallError } from "../../../../packages/protocol/src/core/errors.ts";

describe("replaceFile", () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-replace-"));
    file = join(folder, "out.txt");
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("replaces the old file only when the new file is complete", async () => {
    await writeFile(file, "old");
    await chmod(file, 0o640);
    const seen = await replaceFile(file, async (handle) => {
      await handle.writeFile("new");
      return readFile(file, "utf8");
    });
    expect([seen, await readFile(file, "utf8"), await readdir(folder)]).to.deep.equal(["old", "new", ["out.txt"]]);
    expect((await stat(file)).mode & 0o777).to.equal(0o640);
  });

  it("changes nothing if the new file is not completed", async () => {
    await writeFile(file, "old");
    const failure = new Error("no more");
    const failed = await replaceFile(file, async (handle) => {
      await handle.writeFile("half");
      throw failure;
    }).catch((error: unknown) => error);
    expect([failed, await readFile(file, "utf8"), await readdir(folder)]).to.deep.equal([failure, "old", ["out.txt"]]);
  });

  it("follows symbolic links, and writes directly to special files", async () => {
    await writeFile(file, "old");
    const name = join(folder, "link");
    await symlink(file, name);
    await replaceFile(name, (handle) => handle.writeFile("new"));
    expect([await readFile(file, "utf8"), (await lstat(name)).isSymbolicLink()]).to.deep.equal(["new", true]);

    const pipe = join(folder, "pipe");
    execFileSync("sh", ["-c", 'mkfifo "$0"', pipe]);
    const [read] = await Promise.all([
      readFile(pipe, "utf8"),
      replaceFile(pipe, (handle) => handle.writeFile("through")),
    ]);
    expect([read, (await stat(pipe)).isFIFO()]).to.deep.equal(["through", true]);
  });

  it("names the option if the file cannot be written, and creates the folder on request", async () => {
    const deep = join(folder, "a", "b", "out.txt");
    const write = (options?: Parameters<typeof replaceFile>[2]) =>
      replaceFile(deep, (handle) => handle.writeFile("new"), options).catch((error: unknown) =>
        error instanceof CrosscallError ? error.toJSON() : error,
      );
    expect(await write({ field: "--folder" })).to.include({ code: "INVALID_INPUT", field: "--folder" });
    expect(await write({ makesFolder: true })).to.equal(undefined);
    expect(await readFile(deep, "utf8")).to.equal("new");
  });
});

describe("isSameFile", () => {
  it("compares resolved files, or the given paths for files that do not exist yet", async () => {
    const folder = await mkdtemp(join(tmpdir(), "crosscall-same-"));
    const [one, hard, soft, other] = ["one", "hard", "soft", "other"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
      string,
    ];
    await writeFile(one, "");
    await writeFile(other, "");
    await link(one, hard);
    await symlink(one, soft);
    const way = join(folder, "way");
    await symlink(folder, way);
    const pairs: [string, string, boolean][] = [
      [one, one, true],
      [one, hard, true],
      [soft, hard, true],
      [one, join(way, "one"), true],
      [one, other, false],
      [one, join(folder, "none"), false],
      [join(folder, "none"), join(way, "none"), true],
      [join(folder, "none"), join(folder, "nothing"), false],
    ];
    expect(await Promise.all(pairs.map(([a, b]) => isSameFile(a, b)))).to.deep.equal(pairs.map(([, , same]) => same));
    await rm(folder, { recursive: true });
  });
});
