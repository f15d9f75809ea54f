import { expect } from "chai";

import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { startEdrChain } from "../../packages/crosscall/src/localnet/devchain/edr.ts";
import { openForeignNode } from "../../packages/crosscall/src/localnet/devchain/foreignNode.ts";
import type { ChainNode } from "../../packages/crosscall/src/localnet/devchain/node.ts";
import { until } from "../support/until.ts";

describe("the changes that a chain announces", () => {
  let own: ChainNode;
  let foreign: ChainNode;
  before(async () => {
    own = await startEdrChain(31_337);
    foreign = await openForeignNode(own.rpcUrl);
  });
  after(async () => {
    await foreign.close();
    await own.close();
  });

  /** Returns the block height at each announcement while the callback runs. */
  const heightsDuring = async (node: ChainNode, work: () => Promise<unknown>): Promise<number[]> => {
    const heights: Promise<number>[] = [];
    const unsubscribe = node.changes.subscribe(() => heights.push(heightOf(node)));
    try {
      await work();
      // A proxy announces a change after the caller receives the response.
      await until(() => heights.length > 0);
      return await Promise.all(heights);
    } finally {
      unsubscribe();
    }
  };

  it("include all changes to a chain in this process, even those made through another node's URL", () => {
    expect([own.changes.isComplete, foreign.changes.isComplete]).to.deep.equal([true, false]);
  });

  it("are incomplete while the node mines on its own, so the latest block is requested each time", async () => {
    const client = chainClient(31_337, own.rpcUrl, undefined, own.transport, own.changes);
    const { number } = await client.getBlock();
    await call(own.rpcUrl, "evm_setIntervalMining", [10]);
    expect(own.changes.isComplete).to.equal(false);
    await until(async () => (await client.getBlock()).number > number);
    await call(own.rpcUrl, "evm_setIntervalMining", [0]);
    expect(own.changes.isComplete).to.equal(true);
  });

  it("include mined blocks, by call and over HTTP, as soon as the block exists", async () => {
    for (const node of [own, foreign]) {
      const height = await heightOf(node);
      expect(await heightsDuring(node, () => node.request("evm_mine"))).to.deep.equal([height + 1]);
      expect(await heightsDuring(node, () => call(node.rpcUrl, "evm_mine"))).to.deep.equal([height + 2]);
    }
  });

  it("include a reorg as soon as it is complete", async () => {
    await own.request("evm_mine");
    const height = await heightOf(own);
    expect(await heightsDuring(own, () => own.reorg(1))).to.deep.equal([height]);
  });

  it("exclude reads", async () => {
    for (const node of [own, foreign]) {
      let count = 0;
      const unsubscribe = node.changes.subscribe(() => (count += 1));
      await call(node.rpcUrl, "eth_blockNumber");
      await node.request("eth_chainId");
      await heightsDuring(node, () => call(node.rpcUrl, "evm_mine"));
      unsubscribe();
      expect(count).to.equal(1);
    }
  });
});

async function heightOf(node: ChainNode): Promise<number> {
  return Number(await node.request("eth_blockNumber"));
}

async function call(url: string, method: string, params: readonly unknown[] = []): Promise<void> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  expect(response.status).to.equal(200);
}
