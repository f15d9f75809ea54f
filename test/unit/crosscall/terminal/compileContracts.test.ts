import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

import { expect } from "chai";

import { isBuilt } from "../../../../packages/crosscall/src/terminal/compileContracts.ts";

const SOURCE = "contracts/proxies/Proxy.sol";
const ARTIFACT = "artifacts/contracts/proxies/Proxy.sol/Proxy.json";
const FILES = [SOURCE, "hardhat.config.ts", "package-lock.json", ARTIFACT];

describe("isBuilt", () => {
  let folder: string;
  const built = new Date();
  const at = (offsetMs: number) => new Date(built.getTime() + offsetMs);
  const stamp = () => pathToFileURL(join(folder, "stamp"));
  const isProxyBuilt = () => isBuilt(pathToFileURL(`${folder}/`), ["proxies/Proxy"], stamp());

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-built-"));
    for (const file of FILES) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), "");
      await utimes(join(folder, file), at(-1_000), at(-1_000));
    }
    await writeFile(stamp(), "");
    await utimes(stamp(), built, built);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("returns true if nothing is newer than the build", () => {
    expect(isProxyBuilt()).to.equal(true);
  });

  for (const file of [SOURCE, "hardhat.config.ts", "package-lock.json"]) {
    it(`returns false if ${file} changed during the build or later`, async () => {
      await utimes(join(folder, file), built, built);
      expect(isProxyBuilt()).to.equal(false);
    });
  }

  it("returns false if a contract is added", async () => {
    await writeFile(join(folder, "contracts/New.sol"), "");
    await utimes(join(folder, "contracts/New.sol"), at(1_000), at(1_000));
    expect(isProxyBuilt()).to.equal(false);
  });

  for (const file of [ARTIFACT, "stamp"]) {
    it(`returns false if ${file} is missing`, async () => {
      await rm(join(folder, file));
      expect(isProxyBuilt()).to.equal(false);
    });
  }
});
