import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";
import { encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from "viem";

import { readRelease } from "../../packages/crosscall/src/commands/deploy/release.ts";
import { ROUTER_ADDRESS } from "../../packages/protocol/src/generations/routers.ts";
import type { ChainContracts } from "../../packages/crosscall/src/localnet/devchain/contracts.ts";
import { askNode, createDeploymentBench, type Deployer } from "../integration/support/deployments.ts";
import { createHardhatProject, type HardhatProject, ROOT } from "../support/hardhatProject.ts";

const CHAIN_ID = 31_531;
const SHOP = "0x5555555555555555555555555555555555555555";
const RECIPIENT = "0x1111111111111111111111111111111111111111";

const CONFIG = `
import { createRequire } from "node:module";

import toolbox from "@nomicfoundation/hardhat-toolbox-mocha-ethers";
import crosscall from "crosscall/hardhat";
import { configVariable, defineConfig } from "hardhat/config";

export default defineConfig({
  // The page about tests lists the plugins in the opposite order.
  plugins: [crosscall, toolbox],
  solidity: {
    compilers: [{ version: "0.8.37", path: createRequire(import.meta.url).resolve("solc/soljson.js") }],
    npmFilesToBuild: ["@crosscall/contracts/localnet/tokens/LocalDollar.sol"],
  },
  networks: {
    local: {
      type: "http",
      url: configVariable("CHAIN_URL"),
      chainId: ${CHAIN_ID},
      accounts: [configVariable("DEPLOYER_KEY")],
    },
    forked: { type: "edr-simulated", chainId: ${CHAIN_ID}, forking: { url: configVariable("CHAIN_URL") } },
    pinned: {
      type: "edr-simulated",
      chainId: ${CHAIN_ID},
      forking: { url: configVariable("CHAIN_URL"), blockNumber: 2 },
    },
    remote: { type: "http", url: configVariable("CHAIN_URL") },
  },
});
`;

const CONTRACTS = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Shop {
    error SoldOut(uint256 asked, address buyer);

    function buy(uint256 count) external view {
        if (count > 3) revert SoldOut(count, msg.sender);
    }
}

contract Sale {
    address public immutable EXECUTOR;

    constructor(address executor) {
        EXECUTOR = executor;
    }
}
`;

/** Test that writes its results to a file, which this test reads. */
const TEST = `
import { writeFile } from "node:fs/promises";

import { expect } from "chai";
import { crosscallModule } from "crosscall/hardhat/ignition";
import { network } from "hardhat";
import type { Address, Hex } from "viem";

import saleModule from "../ignition/modules/Sale.ts";

const seen: Record<string, unknown> = {};

describe("the plugin", () => {
  after(() => writeFile("seen.json", JSON.stringify(seen)));

  it("simulates fills, and decodes the project's errors", async () => {
    const { crosscall, ethers } = await network.create();
    const [user] = await ethers.getSigners();
    const shop = await ethers.deployContract("Shop");
    const plan = (count: bigint) => ({
      txs: [{ to: shop.target as Address, data: shop.interface.encodeFunctionData("buy", [count]) as Hex, value: "0" }],
      destinationCurrency: "0x0000000000000000000000000000000000000000",
      recipient: user,
    });
    const fill = await crosscall.fill(plan(7n), { amount: 5n });
    seen.verdict = fill.verdict;
    await expect(fill).to.failWith("EXECUTION_REVERTED").atTx(0);
    await expect(fill).to.not.failWith("SLIPPAGE");
    await expect(crosscall.fill(plan(3n), { amount: 5n })).to.leaveNothingBehind();
    seen.abis = (await crosscall.fill(plan(7n), { amount: 5n, abis: [] })).verdict;
  });

  it("deploys with Ignition to the release's addresses, only once", async () => {
    const { crosscall, ethers, ignition } = await network.create();
    seen.placed = await crosscall.placeContracts();
    const { executor, sale } = await ignition.deploy(saleModule);
    const [deployer] = await ethers.getSigners();
    const policy = crosscallModule("PausePolicy", { owner: deployer.address });
    const { contract: receiver } = await ignition.deploy(crosscallModule("RequestReceiver", { policy }));
    const again = await ignition.deploy(crosscallModule("PushExecutor"));
    const { contract: standard } = await ignition.deploy(crosscallModule("RequestReceiver"));
    seen.deployed = {
      executor: await executor.getAddress(),
      again: await again.contract.getAddress(),
      puller: await executor.getFunction("livePuller").staticCall(),
      ofSale: await sale.EXECUTOR(),
      standard: await standard.getAddress(),
      owner: await (await ethers.getContractAt(["function owner() view returns (address)"], await receiver.getFunction("policy").staticCall())).getFunction("owner").staticCall(),
      deployer: deployer.address,
    };
  });

  it("fails to deploy without the factory contract", async () => {
    const { ignition } = await network.create();
    await ignition.deploy(crosscallModule("PushExecutor")).then(
      () => expect.fail("deployed"),
      (error: Error) => (seen.withoutFactory = error.message),
    );
  });
});
`;

interface Seen {
  readonly verdict: unknown;
  readonly abis: unknown;
  readonly placed: unknown;
  readonly deployed: Readonly<Record<string, string>>;
  readonly withoutFactory: string;
}

describe("crosscall/hardhat in a project", () => {
  const { startChain, deployerOf, close } = createDeploymentBench();
  let project: HardhatProject;
  let rpcUrl: string;
  let contracts: ChainContracts;
  let deployer: Deployer;
  let release: Readonly<Record<string, { readonly address: string }>>;

  before(async () => {
    project = await createHardhatProject();
    await project.write("hardhat.config.ts", CONFIG);
    await project.write("contracts/Shop.sol", CONTRACTS);
    await project.write("test/plugin.test.ts", TEST);
    const page = await readFile(join(ROOT, "docs/hardhat.md"), "utf8");
    const [, path = "", text = ""] = /^`(ignition\/[\w./]+)`:\n\n```typescript\n(.*?)^```$/msu.exec(page) ?? [];
    await project.write(path, text);
    ({ rpcUrl, contracts } = await startChain(CHAIN_ID));
    deployer = await deployerOf();
    await deployer.fund(rpcUrl);
    release = (await readRelease(8_453))?.contracts ?? {};
  });
  after(async () => {
    await close();
    await project.remove();
  });

  const run = (...args: readonly string[]) =>
    project.hardhat(["crosscall", ...args], { CHAIN_URL: rpcUrl, DEPLOYER_KEY: deployer.privateKey });

  describe("in tests", () => {
    let seen: Seen;

    before(async () => {
      const { exitCode, stdout, stderr } = await project.hardhat(["test", "mocha"]);
      expect(exitCode, `${stdout}\n${stderr}`).to.equal(0);
      seen = JSON.parse(await readFile(join(project.folder, "seen.json"), "utf8")) as Seen;
    });

    it("decodes the errors from the project's contracts, and provides the matchers", () => {
      expect(seen.verdict).to.include({
        outcome: "failure",
        failReason: "EXECUTION_REVERTED",
        txIndex: 0,
        error: `SoldOut(asked: 7, buyer: ${ROUTER_ADDRESS})`,
      });
      // ABIs passed explicitly replace the project's ABIs.
      expect(seen.abis).to.include({ error: `error ${toFunctionSelector("SoldOut(uint256,address)")}` });
    });

    it("deploys to the release's addresses", () => {
      const { deployed } = seen;
      expect(deployed).to.deep.equal({
        executor: release.PushExecutor?.address,
        again: release.PushExecutor?.address,
        puller: release["PushExecutor.LivePuller"]?.address,
        ofSale: release.PushExecutor?.address,
        standard: release.RequestReceiver?.address,
        owner: deployed.deployer,
        deployer: deployed.deployer,
      });
      expect(seen.withoutFactory).to.include("FactoryMissing");
    });

    it("passes type checks", async () => {
      expect(await project.checkTypes()).to.equal("");
    });
  });

  describe("crosscall deploy", () => {
    it("prints its options", async () => {
      const { exitCode, stdout } = await run("deploy", "--help");
      expect(exitCode).to.equal(0);
      const [own = ""] = stdout.split("\nGLOBAL OPTIONS");
      const options = [...own.matchAll(/^ {2}--([\w-]+)/gmu)].map(([, name]) => name);
      expect(options).to.deep.equal(["dry-run", "folder", "parameters", "yes"]);
    });

    it("deploys from the network's account to the release's addresses after confirmation", async () => {
      const unconfirmed = await run("deploy", "--network", "local");
      expect(unconfirmed.exitCode).to.equal(1);
      expect(unconfirmed.stderr).to.include("--yes");
      expect(await deployer.sent(rpcUrl)).to.equal(0);

      const { exitCode, stdout, stderr } = await run("deploy", "--network", "local", "--yes", "PushExecutor");
      expect(exitCode, stderr).to.equal(0);
      expect(await deployer.sent(rpcUrl)).to.equal(1);
      const rows = stdout.trim().split("\n").slice(0, 2);
      expect(rows.map((row) => row.split(/ +/u))).to.deep.equal([
        ["PushExecutor", release.PushExecutor?.address, "deployed"],
        ["PushExecutor.LivePuller", release["PushExecutor.LivePuller"]?.address, "deployed"],
      ]);
      const record = await readFile(join(project.folder, `deployments/${CHAIN_ID}.json`), "utf8");
      expect(Object.keys((JSON.parse(record) as { contracts: object }).contracts)).to.deep.equal([
        "PushExecutor",
        "PushExecutor.LivePuller",
      ]);
    });

    it("deploys the contracts that the page's module needs", async () => {
      const args = ["ignition", "deploy", "ignition/modules/Sale.ts", "--network", "local", "--deployment-id", "sale"];
      const { exitCode, stderr } = await project.hardhat(args, {
        CHAIN_URL: rpcUrl,
        DEPLOYER_KEY: deployer.privateKey,
        HARDHAT_IGNITION_CONFIRM_DEPLOYMENT: "true",
      });
      expect(exitCode, stderr).to.equal(0);
      const file = join(project.folder, "ignition/deployments/sale/deployed_addresses.json");
      const addresses = Object.entries(JSON.parse(await readFile(file, "utf8")) as Readonly<Record<string, string>>);
      const executors = addresses.filter(([id]) => id.endsWith("#PushExecutor")).map(([, address]) => address);
      expect(executors).to.deep.equal([release.PushExecutor?.address]);
      expect(addresses.map(([id]) => id)).to.include("Sale#Sale");
    });

    it("requires a private key", async () => {
      const { exitCode, stderr } = await run("deploy", "--network", "remote", "--yes");
      expect([exitCode, stderr.includes("networks.remote.accounts")]).to.deep.equal([1, true]);
    });
  });

  describe("crosscall replay", () => {
    before(async () => {
      await project.hardhat(["build"]);
      const artifact = await readFile(join(project.folder, "artifacts/contracts/Shop.sol/Shop.json"), "utf8");
      const { deployedBytecode } = JSON.parse(artifact) as { readonly deployedBytecode: Hex };
      await askNode(rpcUrl, "hardhat_setCode", [SHOP, deployedBytecode]);
      const data = encodeFunctionData({ abi: parseAbi(["function buy(uint256)"]), args: [8n] });
      await project.write(
        "plan.json",
        JSON.stringify({
          txs: [{ to: SHOP, data, value: "0" }],
          tradeType: "EXACT_OUTPUT",
          amount: "10",
          recipient: RECIPIENT,
          destinationChainId: CHAIN_ID,
          destinationCurrency: contracts.dollar,
          router: ROUTER_ADDRESS,
        }),
      );
    });

    for (const name of ["local", "forked"]) {
      it(`decodes the errors from the project's contracts on the ${name} network`, async () => {
        const { exitCode, stdout, stderr } = await run("replay", "plan.json", "--network", name, "--json");
        const output = stdout.slice(stdout.indexOf("{"));
        expect(exitCode, stderr).to.equal(1);
        const { report } = JSON.parse(output) as { readonly report: { readonly verdict: object } };
        expect(report.verdict).to.include({
          outcome: "failure",
          failReason: "EXECUTION_REVERTED",
          txIndex: 0,
          error: `SoldOut(asked: 8, buyer: ${ROUTER_ADDRESS})`,
        });
      });
    }

    it("replays a plan at the network's pinned block, or at a given block", async () => {
      const blocks: unknown[] = [];
      for (const args of [[], ["--block", "3"]]) {
        const { stdout } = await run("replay", "plan.json", "--network", "pinned", "--json", "--no-compile", ...args);
        const { report } = JSON.parse(stdout.slice(stdout.indexOf("{"))) as { readonly report: object };
        blocks.push("blockNumber" in report ? report.blockNumber : undefined);
      }
      expect(blocks).to.deep.equal(["2", "3"]);
    });

    it("prints the invalid input and a hint", async () => {
      const { exitCode, stderr } = await run("replay", "plan.json", "--network", "local", "--amount", "1.5");
      expect(exitCode).to.equal(1);
      for (const fact of ["--amount", "1.5", "To do:"]) expect(stderr).to.include(fact);
    });
  });
});
