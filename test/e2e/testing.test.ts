import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect } from "chai";

import { ROUTER_ADDRESS } from "../../sdk/src/chains/serviceAddresses.ts";
import { readArtifact } from "../../src/artifacts.ts";
import { chainClient } from "../../src/devchain/chainClient.ts";
import { localNodeRequest } from "../../src/devchain/localNode.ts";
import { startAnvil, stopPrograms } from "../integration/support/processes.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The fork block of the page, and the token that it uses there. */
const FORK_BLOCK = 23_800_000;
const USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

// A separate package that depends on the kit, with exactly the files of the page.
describe("the project of docs/testing.md", () => {
  let folder: string;
  let forkUrl: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-testing-"));
    await mkdir(join(folder, "node_modules"));
    for (const name of await readdir(join(ROOT, "node_modules"))) {
      await symlink(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
    }
    await symlink(ROOT, join(folder, "node_modules/crosscall"));
    await writeFile(join(folder, "package.json"), JSON.stringify({ name: "integrator", type: "module" }));
    for (const name of ["MintProxy.sol", "NftSale.sol"]) {
      await cp(join(ROOT, "examples", name), join(folder, "contracts", name));
    }
    const page = await readFile(join(ROOT, "docs/testing.md"), "utf8");
    for (const [, path = "", text = ""] of page.matchAll(/^`([\w./]+)`:\n\n```typescript\n(.*?)^```$/gmsu)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    forkUrl = (await startAnvil(1, "--number", String(FORK_BLOCK))).ready;
    const client = chainClient(1, forkUrl);
    for (const [address, source] of [
      [USDC, "localnet/tokens/LocalDollar"],
      [ROUTER_ADDRESS, "localnet/LocalRouter"],
    ] as const) {
      await localNodeRequest(client, "hardhat_setCode", [address, readArtifact(source).deployedBytecode]);
    }
  });
  after(async () => {
    await stopPrograms();
    await rm(folder, { recursive: true, force: true });
  });

  const environment = () => ({
    // Hardhat sets variables that make child processes use the project of this test.
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(HARDHAT|HH)_/u.test(name))),
    MAINNET_RPC_URL: forkUrl,
    NO_COLOR: "1",
  });

  it("passes, on a local chain and on the fork", async () => {
    const hardhat = join(ROOT, "node_modules/hardhat/dist/src/cli.js");
    const { stdout } = await run(process.execPath, [hardhat, "test", "mocha"], {
      cwd: folder,
      env: environment(),
    }).catch((error: unknown) => error as { stdout: string; stderr: string });
    expect(stdout).to.match(/^ {2}4 passing/mu);
  });

  it("passes type checks", async () => {
    const compilerOptions = {
      target: "es2024",
      module: "nodenext",
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      types: ["node", "mocha"],
    };
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, include: ["hardhat.config.ts", "test", "types"] }),
    );
    const compiler = join(ROOT, "node_modules/@typescript/native-preview/bin/tsgo");
    const { stdout } = await run(process.execPath, [compiler, "--singleThreaded", "-p", folder]).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(stdout).to.equal("");
  });
});
