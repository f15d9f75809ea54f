import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

import { expect } from "chai";

import { compileOutside } from "../support/compileOutside.ts";
import { COMPILER, compilerSettings, ROOT } from "../support/hardhatProject.ts";
import { runCrosscall } from "../support/programs.ts";
import { useNetwork } from "../support/useNetwork.ts";

const execute = promisify(execFile);

const HARDHAT_CONFIG = `import { createRequire } from "node:module";

import toolbox from "@nomicfoundation/hardhat-toolbox-mocha-ethers";
import { defineConfig } from "hardhat/config";

export default defineConfig({
  plugins: [toolbox],
  solidity: { compilers: [{ version: "0.8.37", path: createRequire(import.meta.url).resolve("solc/soljson.js") }] },
});
`;

const PLAIN_CONFIG = HARDHAT_CONFIG.replace(/^import toolbox.*\n/mu, "").replace("  plugins: [toolbox],\n", "");

describe("crosscall init", () => {
  const network = useNetwork();
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-init-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const write = async (files: Readonly<Record<string, string>>): Promise<void> => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  };
  const read = (path: string): Promise<string> => readFile(join(folder, path), "utf8");
  const snapshot = async (): Promise<Readonly<Record<string, string>>> => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const texts = await Promise.all(paths.map(async (path) => [path, await readFile(path, "utf8")] as const));
    return Object.fromEntries(texts);
  };
  const init = async (...args: string[]): Promise<{ exitCode: number | null; report: Record<string, unknown> }> => {
    const { exitCode, stdout } = await runCrosscall(["init", "--json", ...args], { cwd: folder });
    return { exitCode, report: JSON.parse(stdout) as Record<string, unknown> };
  };
  /** Installs the checkout's packages, as npm would install them. */
  const installPackages = async (): Promise<void> => {
    await mkdir(join(folder, "node_modules"));
    for (const name of await readdir(join(ROOT, "node_modules"))) {
      await symlink(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
    }
  };
  const run = async (args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<string> => {
    // Hardhat sets environment variables that make child processes use this test's project.
    const inherited = Object.entries(process.env).filter(([name]) => !/^(HARDHAT|HH)_/u.test(name));
    const env = { ...Object.fromEntries(inherited), NO_COLOR: "1", ...variables };
    const { stdout } = await execute(process.execPath, args, { cwd: folder, env }).catch(
      (error: unknown) => error as { readonly stdout: string },
    );
    return stdout;
  };

  it("adds a test that passes and type-checks to a Hardhat 3 project", async () => {
    await write({ "package.json": '{\n  "type": "module"\n}\n', "hardhat.config.ts": HARDHAT_CONFIG });
    const { exitCode, report } = await init("--yes");
    expect([exitCode, report.kinds, report.isWritten]).to.deep.equal([0, ["hardhat3"], true]);
    await installPackages();
    const path = "test/crosscall.test.ts";
    const hardhat = join(ROOT, "node_modules/hardhat/dist/src/cli.js");
    expect(await run([hardhat, "test", path])).to.match(/^ {2}1 passing/mu);
    await write({ "tsconfig.json": compilerSettings(["hardhat.config.ts", path]) });
    expect(await run([COMPILER, "--singleThreaded", "-p", folder])).to.equal("");
  });

  it("adds a test that passes to a Hardhat 3 project without a plugin for tests", async () => {
    await write({ "package.json": '{ "type": "module" }', "hardhat.config.ts": PLAIN_CONFIG });
    const { report } = await init("--yes");
    const path = "test/crosscall.test.js";
    expect(report.nextSteps).to.include(`node --test ${path}`);
    await installPackages();
    expect(await run(["--test", "--test-reporter", "tap", path]))
      .to.match(/^# pass 1$/mu)
      .and.match(/^# fail 0$/mu);
  });

  it("adds a program that requests a quote from the local network to a Node.js project", async () => {
    await write({ "package.json": "{}" });
    expect((await init("--yes")).report.kinds).to.deep.equal(["node"]);
    await installPackages();
    const { scripts } = JSON.parse(await read("package.json")) as { scripts: Record<string, string> };
    const [program, ...args] = (scripts["crosscall:quote"] ?? "").split(" ");
    expect(program).to.equal("node");
    const output = await run(args, { CROSSCALL_API_URL: network.url });
    expect(output).to.match(
      new RegExp(`^pay +0\\.1 ETH on chain 31337\nreceive +0\\.09\\d+ ETH on chain ${network.chains[1].id}\n$`, "u"),
    );
  });

  it("adds a test that compiles with its remappings to a Foundry project", async () => {
    const forgeStd = "node_modules/@uniswap/v4-periphery/lib/v4-core/lib/forge-std";
    await write({ "foundry.toml": "[profile.default]\n" });
    await mkdir(join(folder, "lib"));
    await symlink(join(ROOT, forgeStd), join(folder, "lib/forge-std"));
    const { report } = await init("--yes");
    expect([report.kinds, report.notes]).to.deep.equal([["foundry"], []]);
    await installPackages();
    const remappings = ["forge-std/=lib/forge-std/src/", ...(await read("remappings.txt")).trimEnd().split("\n")];
    const files = new Map<string, string>();
    for (const [from, to] of [
      ["contracts", "node_modules/@crosscall/contracts"],
      ["node_modules/@openzeppelin/contracts", "node_modules/@openzeppelin/contracts"],
      [`${forgeStd}/src`, "lib/forge-std/src"],
    ] as const) {
      for (const path of await readdir(join(ROOT, from), { recursive: true })) {
        if (path.endsWith(".sol")) files.set(`${to}/${path}`, await readFile(join(ROOT, from, path), "utf8"));
      }
    }
    const test = "test/Crosscall.t.sol";
    files.set(test, await read(test));
    const { errors, deployable } = compileOutside("0.8.24", {
      sources: [test],
      output: "evm.bytecode.object",
      remappings,
      read: (path) => {
        const text = files.get(path);
        if (text === undefined) throw new Error(`${path} is missing`);
        return text;
      },
    });
    expect(errors).to.deep.equal([]);
    expect(deployable).to.include("CrosscallTest");
  });

  it("changes nothing on a second run, in a dry run, and without a terminal", async () => {
    await write({
      "package.json": '{\n\t"type": "module"\n}',
      "hardhat.config.ts": HARDHAT_CONFIG,
      "foundry.toml": "",
    });
    const before = await snapshot();
    const dry = await init("--dry-run");
    expect(dry.report).to.include({ ok: true, isWritten: false });
    expect(dry.report.changes).to.have.length(4);
    const { stdout } = await runCrosscall(["init", "--dry-run"], { cwd: folder });
    expect(stdout.match(/\S+\.(?:json|sol|ts|txt)$/gmu)).to.deep.equal([
      ...["package.json", "test/crosscall.test.ts", "test/Crosscall.t.sol", "remappings.txt"],
    ]);
    const unasked = await init();
    expect(unasked.exitCode).to.equal(1);
    expect(unasked.report.error).to.include({ code: "INVALID_INPUT", field: "--yes" });
    expect(await snapshot()).to.deep.equal(before);
    expect((await init("--yes")).report).to.include({ isWritten: true });
    const after = await snapshot();
    expect(after[join(folder, "package.json")]).to.match(/^\{\n\t"type": "module",\n\t"devDependencies": \{\n\t\t"/u);
    const again = await init();
    expect(again).to.have.property("exitCode", 0);
    expect(again.report).to.deep.include({ isWritten: false, changes: [] });
    expect(await snapshot()).to.deep.equal(after);
  });

  it("does not overwrite the project's files", async () => {
    await write({ "package.json": "{}", "scripts/crosscall-quote.mjs": "mine" });
    const { report } = await init("--yes");
    expect(report.kept).to.deep.equal(["scripts/crosscall-quote.mjs"]);
    expect(await read("scripts/crosscall-quote.mjs")).to.equal("mine");
  });

  it("detects the package manager of the workspace", async () => {
    await write({ "packages/app/package.json": "{}", "pnpm-lock.yaml": "", "packages/own/package.json": "{}" });
    expect((await init("packages/app", "--dry-run")).report.packageManager).to.equal("pnpm");
    await write({ "packages/own/yarn.lock": "" });
    expect((await init("packages/own", "--dry-run")).report.packageManager).to.equal("yarn");
  });

  it("rejects folders without a project, and files that are not writable", async () => {
    for (const target of [".", "missing"]) {
      const { exitCode, report } = await init(target, "--yes");
      expect(exitCode).to.equal(1);
      expect(report.error).to.include({ code: "INVALID_INPUT", field: "folder" });
    }
    await write({ "package.json": "{}", scripts: "a file" });
    expect((await init("--yes")).report.error).to.include({ code: "INVALID_INPUT", field: "folder" });
    expect((await init("package.json", "--yes")).report.error).to.include({ code: "INVALID_INPUT", field: "folder" });
  });
});
