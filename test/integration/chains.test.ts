import { expect } from "chai";
import { type Address, domainSeparator, parseAbi } from "viem";
import { readContract } from "viem/actions";

import { hasCode } from "../../packages/protocol/src/chains/deploy.ts";
import { LOCAL_ROUTER_VERSIONS, ROUTER_ADDRESS as ROUTER } from "../../packages/protocol/src/generations/routers.ts";
import { serviceTrust } from "../../packages/sdk/src/verify/trust.ts";
import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { startEdrChain } from "../../packages/crosscall/src/localnet/devchain/edr.ts";
import type { ChainNode } from "../../packages/crosscall/src/localnet/devchain/node.ts";
import { prepareChain, prepareOwnChain } from "../../packages/crosscall/src/localnet/devchain/prepareChain.ts";
import { OTHER_ADDRESS } from "../support/otherAddress.ts";
import { failureOf } from "./support/failureOf.ts";
import { startAnvil, stopPrograms } from "./support/processes.ts";

const DEPOSITORY: Address = "0x4cD00E387622C35bDDB9b4c962C136462338BC31";
const PERMIT2: Address = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

describe("prepareChain", () => {
  const chains: ChainNode[] = [];
  const startChain = async (chainId: number): Promise<string> => {
    const chain = await startEdrChain(chainId);
    chains.push(chain);
    return chain.rpcUrl;
  };
  after(async () => {
    await Promise.all(chains.map((chain) => chain.close()));
    await stopPrograms();
  });

  it("deploys the router and the depository to the live addresses", async () => {
    const rpcUrl = await startChain(31_337);
    expect(await prepareChain(31_337, rpcUrl)).to.include({ router: ROUTER, depository: DEPOSITORY });
    const client = chainClient(31_337, rpcUrl);
    for (const address of [ROUTER, DEPOSITORY]) expect(await hasCode(client, address)).to.equal(true);
  });

  it("deploys Permit2 to its live address, with the chain's own signing domain", async () => {
    // On chain 31337, the published code would use the domain that it cached for another address.
    for (const chainId of [31_337, 31_408]) {
      const rpcUrl = await startChain(chainId);
      await prepareChain(chainId, rpcUrl);
      const separator = await readContract(chainClient(chainId, rpcUrl), {
        address: PERMIT2,
        abi: parseAbi(["function DOMAIN_SEPARATOR() view returns (bytes32)"]),
        functionName: "DOMAIN_SEPARATOR",
      });
      expect(separator).to.equal(domainSeparator({ domain: { name: "Permit2", chainId, verifyingContract: PERMIT2 } }));
    }
  });

  it("deploys the contracts that the SDK trusts on local networks", async () => {
    for (const [index, router] of LOCAL_ROUTER_VERSIONS.entries()) {
      const chainId = 31_410 + index;
      const contracts = await prepareChain(chainId, await startChain(chainId), { router });
      expect(serviceTrust[31_337]?.routers?.[index]).to.equal(contracts.router);
      expect(serviceTrust[31_337]?.spenders?.[0]).to.equal(contracts.uniswapRouter);
      expect(serviceTrust[31_337]?.spenders?.[1 + index]).to.equal(contracts.approvalProxy);
    }
  });

  it("deploys the kit's contracts to the same addresses on an in-process chain and on anvil", async () => {
    const edr = await prepareChain(31_401, await startChain(31_401));
    const anvil = await startAnvil(31_402);
    expect(await prepareChain(31_402, anvil.ready)).to.deep.equal(edr);
  });

  it("sends no transaction to a prepared chain", async () => {
    const rpcUrl = await startChain(31_403);
    const contracts = await prepareChain(31_403, rpcUrl);
    const client = chainClient(31_403, rpcUrl);
    const blockNumber = await client.getBlockNumber();
    expect(await prepareChain(31_403, rpcUrl)).to.deep.equal(contracts);
    expect(await client.getBlockNumber()).to.equal(blockNumber);
  });

  it("prepares an in-process chain like any other", async () => {
    const chain = await startEdrChain(31_407);
    chains.push(chain);
    const contracts = await prepareOwnChain(31_407, chain);
    const client = chainClient(31_407, chain.rpcUrl);
    const blockNumber = await client.getBlockNumber();
    expect(await prepareChain(31_407, chain.rpcUrl)).to.deep.equal(contracts);
    expect(await client.getBlockNumber()).to.equal(blockNumber);
  });

  it("receives chains that listen on loopback only", async () => {
    const { port } = new URL(await startChain(31_409));
    const elsewhere = await failureOf(fetch(`http://${OTHER_ADDRESS}:${port}`));
    expect(elsewhere).to.have.nested.property("cause.code", "ECONNREFUSED");
  });

  it("rejects a node that serves another chain", async () => {
    const rpcUrl = await startChain(31_404);
    expect(await failureOf(prepareChain(31_405, rpcUrl))).to.include({
      code: "WRONG_CHAIN",
      expectedChainId: 31_405,
      actualChainId: 31_404,
    });
  });

  it("names the chain if its node does not respond", async () => {
    const chain = await startEdrChain(31_406);
    await chain.close();
    expect(await failureOf(prepareChain(31_406, chain.rpcUrl))).to.include({ code: "CHAIN_ERROR", chainId: 31_406 });
  });
});
