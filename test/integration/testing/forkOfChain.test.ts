import { expect } from "chai";
import { network } from "hardhat";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import { type Address, maxUint256, toFunctionSelector, zeroAddress } from "viem";

import { cleanupErc20s, planCalls } from "../../../packages/sdk/src/calls/index.ts";
import { ROUTER_ADDRESS } from "../../../packages/protocol/src/generations/routers.ts";
import { chainClient } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { startChain } from "../../../packages/crosscall/src/localnet/devchain/startChain.ts";
import type { ChainContracts } from "../../../packages/crosscall/src/localnet/index.ts";
import { createLog } from "../../../packages/crosscall/src/localnet/log.ts";
import { forkFill, type TestConnection } from "../../../packages/crosscall/src/testing/index.ts";
import "../../../packages/crosscall/src/testing/register.ts";
import { failureOf } from "../support/failureOf.ts";
import { startAnvil, stopPrograms } from "../support/processes.ts";

const CHAIN_ID = 31_470;
const USER: Address = "0x4444444444444444444444444444444444444444";
const AMOUNT = 1_234_567_891n;

describe("forkFill on an existing chain", () => {
  let rpcUrl: string;
  let contracts: ChainContracts;
  let blockNumber: number;

  before(async () => {
    rpcUrl = (await startAnvil(CHAIN_ID)).ready;
    const started = await startChain({ id: CHAIN_ID, rpcUrl }, createLog("silent"));
    ({ contracts } = started.chain);
    blockNumber = (await started.controls.state()).blockNumber;
    await started.close();
  });
  after(stopPrograms);

  const createFork = () =>
    network.create({
      network: "default",
      override: { chainId: CHAIN_ID, forking: { enabled: true, url: rpcUrl, blockNumber } },
    });

  /** Options for two targets: a Hardhat fork of the chain, and the chain's own node. */
  const connections: Readonly<Record<string, () => Promise<TestConnection & { readonly provider: unknown }>>> = {
    "a fork": createFork,
    "anvil itself": async () => {
      const hardhat = await createHardhatRuntimeEnvironment({ networks: { anvil: { type: "http", url: rpcUrl } } });
      return hardhat.network.create({ network: "anvil" });
    },
  };

  const depositPlan = (minimumIn: bigint) => {
    const { dollar, vaultProxy } = contracts;
    return {
      ...planCalls({
        tradeType: "EXACT_INPUT",
        router: ROUTER_ADDRESS,
        destinationCurrency: dollar,
        recipient: USER,
        amount: AMOUNT,
        actions: [
          { kind: "proxy", token: dollar, proxy: vaultProxy, recipient: USER, minimumIn, deadline: maxUint256 },
        ],
      }),
      destinationCurrency: dollar,
      recipient: USER,
    };
  };

  const upstreamState = async () => {
    const client = chainClient(CHAIN_ID, rpcUrl);
    const [block, code] = await Promise.all([client.getBlock(), client.getCode({ address: ROUTER_ADDRESS })]);
    return [block.hash, block.stateRoot, code];
  };

  for (const [name, connect] of Object.entries(connections)) {
    describe(`with ${name}`, () => {
      let connection: TestConnection;

      before(async () => {
        connection = await connect();
      });

      it("fills with a token, and restores the chain", async () => {
        const before = await upstreamState();
        const fill = await forkFill(connection, depositPlan(1n), { amount: AMOUNT });
        await expect(fill).to.deliver(contracts.vault, AMOUNT).to(USER).and.to.leaveNothingBehind();
        await expect(forkFill(connection, depositPlan(AMOUNT), { amount: AMOUNT - 1n }))
          .to.failWith("TOO_LITTLE_RECEIVED")
          .atTx(2);
        expect(await upstreamState()).to.deep.equal(before);
      });

      it("fills with a token that returns no data", async () => {
        const { tether } = contracts;
        const sweep = cleanupErc20s({ router: ROUTER_ADDRESS, cleanups: [{ token: tether, recipient: USER }] });
        const fill = forkFill(
          connection,
          { txs: [sweep], destinationCurrency: tether, recipient: USER },
          { amount: AMOUNT },
        );
        await expect(fill).to.deliver(tether, AMOUNT).to(USER).and.to.leaveNothingBehind();
      });

      it("fills with native currency", async () => {
        const { wrappedNative } = contracts;
        const wrap = { to: wrappedNative, data: toFunctionSelector("deposit()"), value: "5" };
        const plan = { txs: [wrap], destinationCurrency: zeroAddress, recipient: USER };
        const fill = await forkFill(connection, plan, { amount: AMOUNT });
        await expect(fill)
          .to.deliver(zeroAddress, AMOUNT - 5n)
          .to(USER);
        await expect(fill).to.deliver(wrappedNative, 5n).to(ROUTER_ADDRESS).and.not.to.leaveNothingBehind();
      });
    });
  }

  it("rejects a fork of a chain without the router, because a stand-in would prove nothing", async () => {
    const fork = await createFork();
    await fork.provider.request({ method: "hardhat_setCode", params: [ROUTER_ADDRESS, "0x"] });
    const failure = await failureOf(forkFill(fork, depositPlan(1n), { amount: AMOUNT }));
    expect(failure).to.include({ code: "INVALID_STATE" });
  });
});
