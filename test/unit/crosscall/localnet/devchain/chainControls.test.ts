import { setTimeout } from "node:timers/promises";

import { expect } from "chai";
import { custom } from "viem";

import { createChainControls } from "../../../../../packages/crosscall/src/localnet/devchain/chainControls.ts";
import { ChainChanges, type ChainNode, Latency } from "../../../../../packages/crosscall/src/localnet/devchain/node.ts";
import { createLog } from "../../../../../packages/crosscall/src/localnet/log.ts";

const BLOCK_TIME_MS = 5;

it("a chain with a block time mines no empty block if a block takes longer than the block time", async () => {
  const changes = new ChainChanges(true);
  const [started, finished] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  let pending = ["0x01"];
  let mined = 0;
  const request = async (method: string): Promise<unknown> => {
    if (method === "eth_pendingTransactions") return [...pending];
    if (method !== "evm_mine") return true;
    mined += 1;
    started.resolve(undefined);
    await finished.promise;
    pending = [];
    return undefined;
  };
  const node: ChainNode = {
    rpcUrl: "http://127.0.0.1",
    latency: new Latency(),
    changes,
    transport: custom({ request: ({ method }: { readonly method: string }) => request(method) }),
    request,
    reorg: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const log = createLog("silent");
  const fund = () => Promise.resolve();
  const running = createChainControls({ chainId: 1, node, firstBlock: 0, fund, blockTimeMs: BLOCK_TIME_MS, log });
  await running.start();
  changes.announce();
  await started.promise;
  changes.announce();
  // Later than the timer of the second announcement.
  await setTimeout(2 * BLOCK_TIME_MS);
  finished.resolve(undefined);
  await running.close();
  expect(mined).to.equal(1);
});
