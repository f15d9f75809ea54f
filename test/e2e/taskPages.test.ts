import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect } from "chai";
import { type Address, parseAbi, zeroAddress } from "viem";

import { type Artifact, readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import { type LocalnetChain, localnet } from "../../packages/crosscall/src/localnet/index.ts";
import { reader, userWallet } from "../integration/support/parties.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const HARDHAT = join(ROOT, "node_modules/hardhat/dist/src/cli.js");
const POOL = parseAbi([
  "struct Reserve { uint256 configuration; uint128 liquidityIndex; uint128 liquidityRate; uint128 variableIndex; uint128 variableRate; uint128 stableRate; uint40 updatedAt; uint16 id; address aToken; address stableDebt; address variableDebt; address strategy; uint128 treasury; uint128 unbacked; uint128 isolated; }",
  "function getReserveData(address asset) view returns (Reserve)",
]);

// Projects outside the checkout, with exactly the files of a page, except for addresses that exist only on live chains.
describe("the Hardhat projects of the task pages", () => {
  const folders: string[] = [];

  after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

  async function makeProject(page: string, changes: Readonly<Record<string, string>>): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "crosscall-page-"));
    folders.push(folder);
    await mkdir(join(folder, "node_modules"));
    for (const name of await readdir(join(ROOT, "node_modules"))) {
      await symlink(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
    }
    await writeFile(join(folder, "package.json"), JSON.stringify({ name: "integrator", type: "module" }));
    // Uses the compiler from npm, so the test downloads nothing.
    const compiler = JSON.stringify(createRequire(import.meta.url).resolve("solc/soljson.js"));
    const all = { ...changes, 'version: "0.8.37"': `version: "0.8.37", path: ${compiler}` };
    const text = await readFile(join(ROOT, "docs", page), "utf8");
    for (const [, path = "", code = ""] of text.matchAll(/^`([\w./]+)`[^\n]*:\n\n```\w+\n(.*?)^```$/gmsu)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      const changed = Object.entries(all).reduce((left, [from, to]) => left.replaceAll(from, to), code);
      await writeFile(join(folder, path), changed);
    }
    return folder;
  }

  const hardhat = async (folder: string, args: readonly string[], env: Readonly<Record<string, string>>) => {
    // Hardhat sets environment variables that make child processes use this test's project.
    const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(HARDHAT|HH)_/u.test(name)));
    return run(process.execPath, [HARDHAT, ...args], { cwd: folder, env: { ...own, NO_COLOR: "1", ...env } }).catch(
      (error: unknown) => error as { stdout: string; stderr: string },
    );
  };

  const variableDebt = async (chain: LocalnetChain): Promise<Address> => {
    const reserve = await reader(chain).readContract({
      address: chain.contracts.aavePool ?? zeroAddress,
      abi: POOL,
      functionName: "getReserveData",
      args: [chain.contracts.dollar],
    });
    return reserve.variableDebt;
  };

  it("simulates fills with USDC on a fork", async () => {
    await using network = await localnet({ chains: [{ id: 31_337 }, { id: 1 }], protocols: ["aave"], oracle: false });
    const [, chain] = network.chains;
    const { dollar, aavePool = "", aaveToken = "" } = chain.contracts;
    const folder = await makeProject("mainnet-fork.md", {
      "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48": dollar,
      "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2": aavePool,
      "0x98C23E9d8f34FEFb1B7BD6a91B7FF122F4e16F5c": aaveToken,
      "0x72E95b8931767C79bA4EeE721354d6E99a61D004": await variableDebt(chain),
      "26_400_000": String(await reader(chain).getBlockNumber()),
    });
    const { stdout, stderr } = await hardhat(folder, ["test", "mocha"], { MAINNET_RPC_URL: chain.rpcUrl });
    expect(stdout, stderr).to.match(/^ {2}1 passing/mu);
  });

  it("deploys a proxy to a fork of Base", async () => {
    await using network = await localnet({ chains: [{ id: 31_337 }, { id: 8453 }], oracle: false });
    const [, chain] = network.chains;
    const wallet = userWallet(network, chain);
    const file = await readFile(join(ROOT, "artifacts/examples/NftSale.sol/NftSale.json"), "utf8");
    const { abi, bytecode } = JSON.parse(file) as Artifact;
    const hash = await wallet.deployContract({ abi, bytecode, args: [chain.contracts.dollar, 25n, zeroAddress] });
    const { contractAddress } = await reader(chain).waitForTransactionReceipt({ hash });
    const sale = contractAddress ?? "";
    const folder = await makeProject("deploy-your-proxy.md", { "0x663f3ad617193148711d28f5334ee4ed07016602": sale });
    await cp(join(ROOT, "examples/NftSale.sol"), join(folder, "contracts/NftSale.sol"));
    const { stdout, stderr } = await hardhat(
      folder,
      [
        ...["ignition", "deploy", "ignition/modules/MintProxy.ts", "--network", "base"],
        ...["--parameters", "ignition/parameters.base.json"],
      ],
      {
        BASE_RPC_URL: chain.rpcUrl,
        DEPLOYER_PRIVATE_KEY: "0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
        ETHERSCAN_API_KEY: "none",
        HARDHAT_IGNITION_CONFIRM_DEPLOYMENT: "true",
      },
    );
    const deployed = /MintProxy#MintProxy - (0x\w{40})/u.exec(stdout)?.[1];
    expect(deployed, `${stdout}\n${stderr}`).to.be.a("string");
    const read = { address: deployed as Address, abi: readArtifact("proxies/Erc4626Proxy").abi } as const;
    expect(await reader(chain).readContract({ ...read, functionName: "inputToken" })).to.equal(chain.contracts.dollar);
    expect(String(await reader(chain).readContract({ ...read, functionName: "outputToken" })).toLowerCase()).to.equal(
      sale,
    );
  });
});
