import { setImmediate } from "node:timers/promises";

import { expect } from "chai";
import { numberToHex } from "viem";

import { createChainControls } from "../../packages/crosscall/src/localnet/devchain/chainControls.ts";
import { startEdrChain } from "../../packages/crosscall/src/localnet/devchain/edr.ts";
import { finalizeIdleChain } from "../../packages/crosscall/src/localnet/devchain/finalizeIdleChain.ts";
import type { ChainNode } from "../../packages/crosscall/src/localnet/devchain/node.ts";
import { createLog } from "../../packages/crosscall/src/localnet/log.ts";
import { until } from "../support/until.ts";

const log = createLog("silent");

describe("a chain whose blocks become final with time", () => {
  const nodes: ChainNode[] = [];
  after(() => Promise.all(nodes.map((node) => node.close())));

  /** @param fail called before each request of the network; throws to make the request fail */
  const start = async (seconds: number, fail: (params: readonly unknown[]) => void = () => undefined) => {
    const own = await startEdrChain(31_337, { finality: { seconds } });
    nodes.push(own);
    let openRequests = 0;
    const node: ChainNode = {
      ...own,
      async request(method, params = []) {
        openRequests += 1;
        try {
          fail(params);
          return await own.request(method, params);
        } finally {
          openRequests -= 1;
        }
      },
    };
    const fund = () => Promise.resolve();
    const running = createChainControls({ chainId: 31_337, node, firstBlock: 0, fund, blockTimeMs: 0, log });
    const minesOnDemand = () => running.minesOnDemand();
    const finalize = () => finalizeIdleChain({ node, final: own.finalBlocks!, minesOnDemand, log });
    /** Waits until the network has reacted to all changes. */
    const settle = () => until(() => setImmediate(openRequests === 0));
    return { node, controls: running.controls, finalize, settle };
  };
  const send = async (node: ChainNode): Promise<void> => {
    const [from] = (await node.request("eth_accounts")) as [string];
    await node.request("eth_sendTransaction", [{ from, to: from }]);
  };
  const heightOf = async (node: ChainNode): Promise<number> => Number(await node.request("eth_blockNumber"));

  it("mines one block for a transaction that is old enough", async () => {
    const { node, finalize } = await start(600);
    const stop = finalize();
    await send(node);
    await node.request("evm_increaseTime", [900]);
    await until(async () => (await node.finalBlocks!.find("finalized")) === 1);
    await stop();
    expect(await heightOf(node)).to.equal(2);
  });

  it("finalizes blocks after a failed call", async () => {
    let failures = 0;
    const { node, finalize } = await start(1, ([block]) => {
      if (block !== "pending" || failures > 0) return;
      failures += 1;
      throw new Error("the upstream of the fork does not respond");
    });
    const stop = finalize();
    await send(node);
    await until(async () => (await node.finalBlocks!.find("finalized")) === 1);
    await stop();
    expect(failures).to.equal(1);
  });

  it("mines nothing if other blocks made the transaction final", async () => {
    const { node, finalize, settle } = await start(600);
    const stop = finalize();
    await send(node);
    await settle();
    await node.request("hardhat_mine", [numberToHex(2), numberToHex(900)]);
    await node.request("hardhat_setBalance", [`0x${"11".repeat(20)}`, "0x1"]);
    await settle();
    await stop();
    expect(await heightOf(node)).to.equal(3);
  });

  for (const [what, hold] of [
    ["mining at an interval", ({ controls }) => controls.setMining({ intervalMs: 600_000 })],
    ["automatic mining turned off", ({ node }) => node.request("evm_setAutomine", [false])],
  ] satisfies [string, (chain: Awaited<ReturnType<typeof start>>) => Promise<unknown>][]) {
    it(`leaves held transactions pending with ${what}`, async () => {
      const chain = await start(600);
      const { node, finalize, settle } = chain;
      await send(node);
      await hold(chain);
      await send(node);
      const stop = finalize();
      await settle();
      await node.request("evm_increaseTime", [900]);
      await settle();
      await stop();
      expect(await heightOf(node)).to.equal(1);
      expect(await node.request("eth_pendingTransactions")).to.have.length(1);
      await chain.controls.setMining({});
    });
  }

  it("finalizes blocks again once transactions are mined at once", async () => {
    const { node, controls, finalize } = await start(600);
    await send(node);
    await controls.setMining({ intervalMs: 600_000 });
    const stop = finalize();
    await node.request("evm_increaseTime", [900]);
    await controls.setMining({});
    await until(async () => (await node.finalBlocks!.find("finalized")) === 1);
    await stop();
  });
});
