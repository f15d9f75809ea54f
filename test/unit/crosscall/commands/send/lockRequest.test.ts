import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { lockRequest } from "../../../../../packages/crosscall/src/commands/send/fileJournal.ts";
import { CrosscallError } from "../../../../../packages/protocol/src/core/errors.ts";

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "none",
    (error: unknown) => (error instanceof CrosscallError ? error.code : String(error)),
  );

describe("lockRequest", () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-lock-"));
    path = join(folder, "0x12.lock");
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("holds the lock until it is released, even within one process", async () => {
    const unlock = await lockRequest(folder, "0x12");
    expect(await readFile(path, "utf8")).to.equal(String(process.pid));
    expect(await codeOf(lockRequest(folder, "0x12"))).to.equal("INVALID_STATE");
    await unlock();
    await (
      await lockRequest(folder, "0x12")
    )();
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it("takes over the lock of an earlier process with the same id", async () => {
    await writeFile(path, String(process.pid));
    await (
      await lockRequest(folder, "0x12")
    )();
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it("removes only lock files that it has read", async () => {
    // A broken link exists but cannot be read, like a lock that was removed and created again.
    await symlink(join(folder, "nothing"), path);
    expect(await codeOf(lockRequest(folder, "0x12"))).to.equal("INVALID_STATE");
    expect((await lstat(path)).isSymbolicLink()).to.equal(true);
  });
});
