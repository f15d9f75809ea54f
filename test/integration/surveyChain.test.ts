import { expect } from "chai";
import { keccak256, zeroAddress } from "viem";

import type { PlannedContract } from "../../packages/crosscall/src/commands/deploy/plan.ts";
import { findBuild } from "../../packages/crosscall/src/commands/deploy/runDeployment.ts";
import { surveyChain } from "../../packages/crosscall/src/commands/deploy/survey.ts";
import { connectTarget, type Target } from "../../packages/crosscall/src/options/target.ts";
import { CREATE2_FACTORY, deploymentAddress } from "../../packages/protocol/src/chains/create2.ts";
import { deploy } from "../../packages/protocol/src/chains/deploy.ts";
import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { ChainContracts } from "../../packages/crosscall/src/localnet/devchain/contracts.ts";
import { startEdrChain } from "../../packages/crosscall/src/localnet/devchain/edr.ts";
import type { ChainNode } from "../../packages/crosscall/src/localnet/devchain/node.ts";
import { prepareChain } from "../../packages/crosscall/src/localnet/devchain/prepareChain.ts";
import { localAccounts } from "../../packages/crosscall/src/localnet/index.ts";
import { askNode } from "./support/deployments.ts";
import { startAnvil, stopPrograms } from "./support/processes.ts";

const EDR_ID = 31_541;
const ANVIL_ID = 31_542;

function planned(source: string, args: readonly unknown[] = []): PlannedContract {
  const artifact = readArtifact(source);
  const name = artifact.contractName;
  const address = deploymentAddress({ artifact, args });
  const creator = CREATE2_FACTORY;
  return {
    name,
    contract: name,
    creator,
    source,
    artifact,
    build: "cancun",
    args,
    argumentTexts: {},
    address,
    needs: [],
    at: name,
  };
}

describe("surveyChain", () => {
  let edr: ChainNode;
  let contracts: ChainContracts;
  const targets = new Map<number, { rpcUrl: string; target: Target }>();

  before(async () => {
    edr = await startEdrChain(EDR_ID);
    const anvil = await startAnvil(ANVIL_ID);
    for (const [chainId, rpcUrl] of [
      [EDR_ID, edr.rpcUrl],
      [ANVIL_ID, anvil.ready],
    ] as const) {
      contracts = await prepareChain(chainId, rpcUrl);
      targets.set(chainId, { rpcUrl, target: await connectTarget(rpcUrl, chainId, new AbortController().signal) });
    }
  });
  after(async () => {
    await stopPrograms();
    await edr.close();
  });

  for (const [chainId, name] of [
    [EDR_ID, "in this process"],
    [ANVIL_ID, "anvil"],
  ] as const) {
    const at = () => {
      const found = targets.get(chainId);
      if (found === undefined) throw new Error("the chain was not surveyed");
      return found;
    };

    it(`detects transient storage (${name})`, async () => {
      expect(await findBuild(at().target)).to.equal("cancun");
    });

    it(`compares immutables that depend on the contract's own address (${name})`, async () => {
      const { rpcUrl, target } = at();
      const parent = planned("mocks/Parent");
      const client = chainClient(chainId, rpcUrl, localAccounts.deployer);
      await deploy(client, { artifact: parent.artifact });
      const code = (await client.getCode({ address: parent.address })) ?? "0x";
      const [{ standing } = {}] = await surveyChain(target, [parent]);
      expect(standing).to.deep.equal({ state: "standing", codeHash: keccak256(code), match: "exact" });
    });

    it(`reports that immutables cannot be computed if the constructor would revert (${name})`, async () => {
      const { rpcUrl, target } = at();
      const proxy = planned("proxies/Erc4626Proxy", [contracts.vault, zeroAddress]);
      await askNode(rpcUrl, "hardhat_setCode", [contracts.vault, "0x"]);
      const [{ standing } = {}] = await surveyChain(target, [proxy]);
      expect(standing).to.include({ state: "standing", match: "masked" });
    });
  }

  it("detects that a chain has no transient storage", async () => {
    const { ready } = await startAnvil(31_543, "--hardfork", "london");
    expect(await findBuild(await connectTarget(ready, 31_543, new AbortController().signal))).to.equal("london");
  });
});
