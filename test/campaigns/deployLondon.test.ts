import { expect } from "chai";
import { type Address, encodeDeployData, keccak256, zeroAddress } from "viem";
import { readContract } from "viem/actions";

import { readRelease } from "../../packages/crosscall/src/commands/deploy/release.ts";
import { crosscallModule } from "../../packages/crosscall/src/hardhat/ignition.ts";
import {
  CREATE2_FACTORY,
  CREATE2_FACTORY_CODE,
  deploymentAddress,
} from "../../packages/protocol/src/chains/create2.ts";
import {
  DEPOSITORY_ADDRESS,
  PERMIT2_ADDRESS,
  SOLVER_ADDRESS,
} from "../../packages/protocol/src/chains/serviceAddresses.ts";
import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { askNode, createDeployer, type Deployer } from "../integration/support/deployments.ts";
import { startAnvil, stopPrograms } from "../integration/support/processes.ts";

const ONLY = ["RequestReceiver"];

/** The service's depository in releases for chains without transient storage. */
const LONDON_DEPOSITORY = "0x59916DA825D2D2eC1BF878D71c88826F6633ecca";

/** Runs as a campaign, because it needs the second build. */
describe("crosscall deploy on a chain without transient storage", () => {
  let deployer: Deployer;

  before(async () => {
    deployer = await createDeployer({ contracts: [] });
  });
  after(async () => {
    await stopPrograms();
    await deployer.remove();
  });

  /** Starts a London node with the factory, and with code at the addresses of the service's contracts. */
  async function startLondon(chainId: number): Promise<string> {
    const { ready } = await startAnvil(chainId, "--hardfork", "london");
    await askNode(ready, "hardhat_setCode", [CREATE2_FACTORY, CREATE2_FACTORY_CODE]);
    for (const address of [DEPOSITORY_ADDRESS, LONDON_DEPOSITORY, PERMIT2_ADDRESS])
      await askNode(ready, "hardhat_setCode", [address, "0x00"]);
    await deployer.fund(ready);
    return ready;
  }

  it("has the same address in the release and in an Ignition module", async () => {
    const { contracts = {} } = (await readRelease(167_000)) ?? {};
    const { abi, bytecode } = readArtifact("receiver/RequestReceiver", "london");
    const creation = encodeDeployData({ abi, bytecode, args: argsOn(167_000) });
    expect(contracts.RequestReceiver?.creationCodeHash).to.equal(keccak256(creation));
    const { contract } = crosscallModule("RequestReceiver", {}, { chainId: 167_000 }).results;
    expect(contract.address).to.equal(contracts.RequestReceiver?.address);
  });

  for (const [what, chainId, remarks] of [
    ["that the release has a record for", 167_000, 0],
    ["that it detects", 31_521, 1],
    ["that the release expects to have transient storage", 8_453, 1],
  ] as const) {
    it(`deploys the code without transient storage to a chain ${what}`, async () => {
      const rpcUrl = await startLondon(chainId);
      const { contracts, notes } = await deployer.deploy(rpcUrl, { only: ONLY });
      expect(notes).to.have.length(remarks);
      const artifact = readArtifact("receiver/RequestReceiver", "london");
      const address = deploymentAddress({ artifact, args: argsOn(chainId) });
      expect(contracts.map((contract) => [contract.address, contract.state])).to.deep.equal([[address, "deployed"]]);
      expect(
        await readContract(chainClient(chainId, rpcUrl), {
          address,
          abi: artifact.abi,
          functionName: "solver",
        }),
      ).to.equal(SOLVER_ADDRESS);
    });
  }
});

function argsOn(chainId: number): readonly Address[] {
  const depository = chainId === 167_000 ? LONDON_DEPOSITORY : DEPOSITORY_ADDRESS;
  return [SOLVER_ADDRESS, depository, PERMIT2_ADDRESS, zeroAddress];
}
