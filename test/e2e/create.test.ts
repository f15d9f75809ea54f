import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect } from "chai";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const run = promisify(execFile);

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

// Runs without a terminal, so it never prompts.
describe("npm create crosscall", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-create-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  function create(...args: readonly string[]): Promise<Result> {
    const program = join(ROOT, "packages/create-crosscall/src/main.ts");
    const env = { ...process.env, npm_config_user_agent: "pnpm/9.1.0 npm/? node/v22.12.0" };
    return run(process.execPath, [program, ...args], { cwd: folder, env }).then(
      (output) => ({ code: 0, ...output }),
      (error: unknown) => error as Result,
    );
  }

  it("creates a project, and prints the next commands", async () => {
    const { code, stdout, stderr } = await create("shop", "--template", "app");
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: "" });
    const commands = ["cd shop", "pnpm install", "pnpm exec playwright install chromium", "pnpm test"];
    expect(stdout.split("\n").filter((line) => line.startsWith("  "))).to.deep.equal(
      commands.map((line) => `  ${line}`),
    );
    expect(await readdir(join(folder, "shop"))).to.include.members([".gitignore", "README.md", "e2e", "src"]);
    const own = JSON.parse(await readFile(join(ROOT, "packages/create-crosscall/package.json"), "utf8")) as {
      version: string;
    };
    const manifest = JSON.parse(await readFile(join(folder, "shop/package.json"), "utf8")) as {
      readonly name: string;
      readonly dependencies: Readonly<Record<string, string>>;
    };
    expect([manifest.name, manifest.dependencies["@crosscall/sdk"]]).to.deep.equal(["shop", `^${own.version}`]);
  });

  it("uses the defaults with --yes", async () => {
    expect((await create("--yes")).code).to.equal(0);
    expect(await readdir(folder)).to.deep.equal(["my-proxy"]);
    expect(await readdir(join(folder, "my-proxy"))).to.include("hardhat.config.ts");
  });

  it("fails with a hint, and writes nothing, if an argument is missing or invalid", async () => {
    for (const args of [
      [],
      ["shop"],
      ["--template", "app"],
      ["Shop", "-t", "app"],
      ["shop", "-t", "game"],
      ["--json"],
    ]) {
      const { code, stderr } = await create(...args);
      expect([args, code]).to.deep.equal([args, 2]);
      expect(stderr).to.match(/^Failed: .+\nTo do: .+\n$/u);
    }
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it("does not change a folder that contains files", async () => {
    await create("shop", "-t", "proxy");
    const before = await readdir(join(folder, "shop"), { recursive: true });
    const { code, stderr } = await create("shop", "-t", "app");
    expect(code).to.equal(1);
    expect(stderr).to.match(/^Failed: .+\nTo do: .+\n$/u);
    expect(await readdir(join(folder, "shop"), { recursive: true })).to.deep.equal(before);
  });

  it("prints its help and its version", async () => {
    expect((await create("--help")).stdout).to.match(/^Usage: /u);
    expect((await create("--version")).stdout).to.match(/^\d+\.\d+\.\d+\n$/u);
  });
});
