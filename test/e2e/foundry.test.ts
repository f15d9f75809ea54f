import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect } from "chai";

import { FOUNDRY_TEST } from "../../packages/crosscall/src/commands/init/templates.ts";
import { copySources } from "../../tools/packages/publishedPackages.ts";
import { DEFAULT_ROUTER, ROUTER_ADDRESS } from "../../packages/protocol/src/generations/routers.ts";
import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { localNodeRequest } from "../../packages/crosscall/src/localnet/devchain/node.ts";
import { CONTRACT_SOURCES } from "../../packages/crosscall/src/localnet/devchain/published.ts";
import { startAnvil, stopPrograms } from "../integration/support/processes.ts";
import { useFolder } from "../support/useFolder.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The real forge-std, from another project's npm package. */
const FORGE_STD = "node_modules/@uniswap/v4-periphery/lib/v4-core/lib/forge-std";

/** Fork block of the page, and the token used there. */
const FORK_BLOCK = 26_400_000;
const USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

/** Uses the compiler's npm package instead of the native compiler, which forge would download. */
const COMPILER = `#!${process.execPath}
const solc = require(${JSON.stringify(createRequire(import.meta.url).resolve("solc"))});
const { readFileSync } = require("node:fs");
process.stdout.write(
  process.argv.includes("--version") ? "Version: " + solc.version() + "\\n" : solc.compile(readFileSync(0, "utf8")),
);
`;

type Results = Readonly<
  Record<
    string,
    { readonly test_results: Readonly<Record<string, { readonly status: string; readonly reason?: string }>> }
  >
>;

// Foundry project with exactly the files from the page and from `crosscall init`, and the package as npm installs
// it.
describe("the project of docs/foundry.md", () => {
  const folder = useFolder();
  let forkUrl: string;

  before(async () => {
    await copySources(join(folder, "node_modules/@crosscall/contracts"));
    await symlink(join(ROOT, "node_modules/@openzeppelin"), join(folder, "node_modules/@openzeppelin"));
    await mkdir(join(folder, "lib"));
    await symlink(join(ROOT, FORGE_STD), join(folder, "lib/forge-std"));
    for (const name of ["MintProxy.sol", "NftSale.sol"]) {
      await cp(join(ROOT, "examples", name), join(folder, "src", name));
    }
    const page = await readFile(join(ROOT, "docs/foundry.md"), "utf8");
    for (const [, path = "", text = ""] of page.matchAll(/^`([\w./]+)`:\n\n```\w+\n(.*?)^```$/gmsu)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    await cp(join(ROOT, "test/support/foundry"), join(folder, "test"), { recursive: true });
    await writeFile(join(folder, "test/Crosscall.t.sol"), FOUNDRY_TEST);
    await writeFile(join(folder, "solc"), COMPILER, { mode: 0o755 });
    forkUrl = (await startAnvil(1, "--number", String(FORK_BLOCK))).ready;
    const client = chainClient(1, forkUrl);
    for (const [address, source] of [
      [USDC, "localnet/tokens/LocalDollar"],
      [ROUTER_ADDRESS, CONTRACT_SOURCES[`router ${DEFAULT_ROUTER}`]],
    ] as const) {
      await localNodeRequest(client, "hardhat_setCode", [address, readArtifact(source).deployedBytecode]);
    }
  });
  after(() => stopPrograms());

  it("passes its tests on a new chain and on a fork", async () => {
    const env = {
      ...process.env,
      MAINNET_RPC_URL: forkUrl,
      FOUNDRY_SOLC: join(folder, "solc"),
      FOUNDRY_OFFLINE: "true",
      // Folder in which forge writes its caches.
      HOME: folder,
    };
    const { stdout, stderr } = await run(join(ROOT, "node_modules/.bin/forge"), ["test", "--json"], {
      cwd: folder,
      env,
      maxBuffer: 2 ** 26,
    }).catch((error: unknown) => error as { stdout: string; stderr: string });
    expect(stdout.startsWith("{"), stderr).to.equal(true);
    const tests = Object.entries(JSON.parse(stdout) as Results).flatMap(([suite, { test_results }]) =>
      Object.entries(test_results).map(([name, { status, reason }]) => ({ suite, name, status, reason })),
    );
    const failed = tests.filter(({ status }) => status !== "Success");
    expect(failed, JSON.stringify(failed)).to.deep.equal([]);
    expect(Object.groupBy(tests, ({ suite }) => suite)).to.have.all.keys(
      "test/MintProxy.t.sol:MintProxyTest",
      "test/MintProxy.fork.t.sol:MintProxyForkTest",
      "test/Guards.t.sol:GuardsTest",
      "test/Crosscall.t.sol:CrosscallTest",
    );
  });
});
