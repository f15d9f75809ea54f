import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect } from "chai";

import { DEFAULT_ROUTER, ROUTER_ADDRESS } from "../../packages/protocol/src/generations/routers.ts";
import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { localNodeRequest } from "../../packages/crosscall/src/localnet/devchain/node.ts";
import { CONTRACT_SOURCES } from "../../packages/crosscall/src/localnet/devchain/published.ts";
import { startAnvil, stopPrograms } from "../integration/support/processes.ts";
import { createHardhatProject, type HardhatProject, ROOT } from "../support/hardhatProject.ts";

/** Fork block of the page, and the token used there. */
const FORK_BLOCK = 26_400_000;
const USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

// The project contains exactly the files of the page.
describe("the project of docs/testing.md", () => {
  let project: HardhatProject;
  let forkUrl: string;

  before(async () => {
    project = await createHardhatProject();
    for (const name of ["MintProxy.sol", "NftSale.sol"]) {
      await project.write(`contracts/${name}`, await readFile(join(ROOT, "examples", name), "utf8"));
    }
    const page = await readFile(join(ROOT, "docs/testing.md"), "utf8");
    for (const [, path = "", text = ""] of page.matchAll(/^`([\w./]+)`:\n\n```typescript\n(.*?)^```$/gmsu)) {
      await project.write(path, text);
    }
    forkUrl = (await startAnvil(1, "--number", String(FORK_BLOCK))).ready;
    const client = chainClient(1, forkUrl);
    for (const [address, source] of [
      [USDC, "localnet/tokens/LocalDollar"],
      [ROUTER_ADDRESS, CONTRACT_SOURCES[`router ${DEFAULT_ROUTER}`]],
    ] as const) {
      await localNodeRequest(client, "hardhat_setCode", [address, readArtifact(source).deployedBytecode]);
    }
  });
  after(async () => {
    await stopPrograms();
    await project.remove();
  });

  it("passes its tests on a local chain and on the fork", async () => {
    const { stdout } = await project.hardhat(["test", "mocha"], { MAINNET_RPC_URL: forkUrl });
    expect(stdout).to.match(/^ {2}4 passing/mu);
  });

  it("passes type checks", async () => {
    expect(await project.checkTypes()).to.equal("");
  });
});
