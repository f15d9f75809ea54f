import { expect } from "chai";

import { InvalidStateError, WrongChainError } from "../../../packages/protocol/src/core/errors.ts";
import { startEdrChain } from "../../../packages/crosscall/src/localnet/devchain/edr.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/index.ts";
import { createDeal } from "../../../packages/crosscall/src/replay/deal.ts";
import type { Fork } from "../../../packages/crosscall/src/replay/fork/fork.ts";
import { openFork } from "../../../packages/crosscall/src/replay/fork/openFork.ts";
import { openNodeFork } from "../../../packages/crosscall/src/replay/fork/openNodeFork.ts";
import { preparePlanned } from "../../../packages/crosscall/src/replay/prepare/preparedFill.ts";
import { failureOf } from "../support/failureOf.ts";
import { type LiveChain, startLiveChain } from "../support/liveChain.ts";
import { stopPrograms } from "../support/processes.ts";
import { vaultPlan } from "./support/vaultPlan.ts";
import { startWatchedRpcProxy } from "./support/watchedRpcProxy.ts";

const CHAIN_ID = 31_476;
const SOLVER = localAccounts.solver.address;

describe("a running node used as a fork", () => {
  let live: LiveChain;

  before(async () => {
    live = await startLiveChain(CHAIN_ID);
  });
  after(() => stopPrograms());

  const runOn = async (fork: Fork) => {
    const plan = vaultPlan(live);
    const deal = createDeal(fork);
    const runs = [];
    for (const amount of [1_000n, 989n]) {
      const { execution } = await preparePlanned(fork, { plan, amount, deal });
      runs.push({ success: execution.success, gasUsed: execution.gasUsed, frame: execution.frame });
    }
    await fork.close();
    return runs;
  };

  it("reports the same results on anvil and in this process, and leaves the node unchanged", async () => {
    const state = async () => [await live.client.getBlock(), await live.client.getBalance({ address: SOLVER })];
    const before = await state();
    const [onAnvil, inProcess] = [
      await runOn(await openNodeFork({ nodeUrl: live.rpcUrl, chainId: CHAIN_ID })),
      await runOn(await openFork({ rpcUrl: live.rpcUrl })),
    ];
    expect(onAnvil.map(({ success, gasUsed }) => [success, gasUsed])).to.deep.equal(
      inProcess.map(({ success, gasUsed }) => [success, gasUsed]),
    );
    const shapeOf = ({ frame }: (typeof onAnvil)[number]) =>
      frame.calls.map(({ to, error, output }) => [to, error, output]);
    expect(onAnvil.map(shapeOf)).to.deep.equal(inProcess.map(shapeOf));
    expect(await state()).to.deep.equal(before);
  });

  it("accepts a Hardhat node that is a fork of another chain", async () => {
    const node = await startEdrChain(CHAIN_ID, { fork: { url: live.rpcUrl } });
    const [onHardhat, inProcess] = [
      await runOn(await openNodeFork({ nodeUrl: node.rpcUrl })),
      await runOn(await openFork({ rpcUrl: live.rpcUrl })),
    ];
    await node.close();
    expect(onHardhat.map(({ success, gasUsed }) => [success, gasUsed])).to.deep.equal(
      inProcess.map(({ success, gasUsed }) => [success, gasUsed]),
    );
  });

  it("rejects a node with state that cannot be changed, and a node for another chain", async () => {
    const real = { error: { code: -32_601, message: "the method evm_snapshot does not exist/is not available" } };
    const proxy = await startWatchedRpcProxy(live.rpcUrl, (method) => (method === "evm_snapshot" ? real : undefined));
    expect(await failureOf(openNodeFork({ nodeUrl: proxy.url }))).to.be.instanceOf(InvalidStateError);
    await proxy.close();
    const error = await failureOf(openNodeFork({ nodeUrl: live.rpcUrl, chainId: 1 }));
    expect(error).to.be.instanceOf(WrongChainError).and.include({ expectedChainId: 1, actualChainId: CHAIN_ID });
  });
});
