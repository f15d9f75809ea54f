import { execFile } from "node:child_process";
import { cp, mkdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect } from "chai";
import { useFolder } from "../support/useFolder.ts";

const run = promisify(execFile);
const RUNNER = fileURLToPath(new URL("../../tools/run.mjs", import.meta.url));

// Separate package with one local dependency, which npm installs without the network.
describe("the runner behind npm run demo and npm test", () => {
  const folder = useFolder();

  before(async () => {
    await mkdir(join(folder, "tools"), { recursive: true });
    await mkdir(join(folder, "dependency"));
    await cp(RUNNER, join(folder, "tools/run.mjs"));
    await writeFile(join(folder, "dependency/package.json"), '{"name":"dependency","version":"1.0.0"}');
    await writeFile(
      join(folder, "package.json"),
      JSON.stringify({
        name: "probe",
        version: "1.0.0",
        scripts: { "hello:run": "node -p process.argv[1]", "fail:run": "exit 7" },
        dependencies: { dependency: "file:./dependency" },
      }),
    );
    await run("npm", ["install", "--package-lock-only", "--offline"], { cwd: folder });
  });

  const start = (...args: string[]) => run(process.execPath, ["tools/run.mjs", ...args], { cwd: folder });
  const installedAt = async () => (await stat(join(folder, "node_modules/.package-lock.json"))).mtimeMs;

  it("installs missing packages, passes arguments on, and writes only the script's output to standard output", async () => {
    const { stdout, stderr } = await start("hello", "there");
    expect(stdout).to.equal("there\n");
    expect(stderr).to.include("npm ci");
    await stat(join(folder, "node_modules/dependency/package.json"));
  });

  it("installs nothing when no package is missing", async () => {
    const before = await installedAt();
    const { stderr } = await start("hello", "again");
    expect([stderr, await installedAt()]).to.deep.equal(["", before]);
  });

  it("installs again if the lockfile is newer", async () => {
    const before = await installedAt();
    const later = new Date(before + 60_000);
    await utimes(join(folder, "package-lock.json"), later, later);
    await start("hello", "later");
    expect(await installedAt()).to.be.greaterThan(before);
  });

  it("exits with the script's exit code", async () => {
    const error: unknown = await start("fail").catch((failure: unknown) => failure);
    expect(error).to.have.property("code", 7);
  });
});
