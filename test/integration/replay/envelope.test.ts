import { expect } from "chai";
import { type Address, concat, erc20Abi, getAddress, type Hex, maxUint256, numberToHex, pad, zeroAddress } from "viem";

import { ROUTER_ADDRESS } from "../../../packages/protocol/src/generations/routers.ts";
import type { Envelope } from "../../../packages/crosscall/src/replay/envelope/envelope.ts";
import { measureEnvelope } from "../../../packages/crosscall/src/replay/envelope/measureEnvelope.ts";
import type { FillCall, FillPlan } from "../../../packages/crosscall/src/replay/fillPlan.ts";
import type { Fork } from "../../../packages/crosscall/src/replay/fork/fork.ts";
import { openFork } from "../../../packages/crosscall/src/replay/fork/openFork.ts";
import { failureOf } from "../support/failureOf.ts";
import { callTo, type LiveChain, RECIPIENT, startLiveChain } from "../support/liveChain.ts";
import { stopPrograms } from "../support/processes.ts";
import { startRpcRecorder } from "../support/rpcRecorder.ts";

const CHAIN_ID = 31_470;
const TRANSFER = "function transfer(address to, uint256 amount)";
const APPROVE = "function approve(address spender, uint256 amount)";
const EXECUTE = "function execute(address recipient, uint256 minimumIn, uint256 minimumOut, uint256 deadline)";

/**
 * Contract that reverts without data if the caller's token balance exceeds a limit: if (token.balanceOf(msg.sender)
 * > limit) revert(). The call data consists of the token and the limit.
 */
const GUARD: Address = getAddress("0x00000000000000000000000000000000000000a9");
const GUARD_CODE: Hex = concat([
  "0x6370a0823160e01b5f5233600452",
  "0x60205f60245f5f355afa50",
  "0x5f5160203510602357005b5f5ffd",
]);

describe("an envelope", () => {
  let chain: LiveChain;
  let fork: Fork;
  let rebasing: Address;

  before(async () => {
    chain = await startLiveChain(CHAIN_ID, "--hardfork", "cancun");
    await chain.request("anvil_setCode", [GUARD, GUARD_CODE]);
    rebasing = await chain.deploy("mocks/RebasingToken");
    fork = await openFork({ rpcUrl: chain.rpcUrl });
  });
  after(async () => {
    await fork.close();
    await stopPrograms();
  });

  it("is measured on chains with a much higher block gas limit than Ethereum's", async () => {
    const large = await startLiveChain(31_478, "--hardfork", "cancun", "--gas-limit", "400000000");
    const onLarge = await openFork({ rpcUrl: large.rpcUrl });
    const plan = large.plan([callTo(large.contracts.dollar, TRANSFER, RECIPIENT, 995n)]);
    const { smallestWorking } = await measureEnvelope(onLarge, plan, { from: 990n, to: 1_000n, steps: 3 });
    expect([onLarge.environment.gasLimit, smallestWorking]).to.deep.equal([400_000_000n, 995n]);
    await onLarge.close();
  });

  /** Returns a call that pays an amount of the currency to the recipient. */
  const pay = (amount: bigint, currency = chain.contracts.dollar): FillCall =>
    callTo(currency, TRANSFER, RECIPIENT, amount);

  const atMost = (limit: bigint): FillCall => ({
    to: GUARD,
    data: concat([pad(chain.contracts.dollar), numberToHex(limit, { size: 32 })]),
    value: 0n,
    allowFailure: false,
  });

  /** Returns calls that deposit the received amount in the vault. */
  const depositAll = (minimumIn = 1n): FillPlan => {
    const { dollar, vaultProxy } = chain.contracts;
    return chain.plan([
      callTo(dollar, APPROVE, vaultProxy, maxUint256),
      callTo(vaultProxy, EXECUTE, RECIPIENT, minimumIn, 1n, maxUint256),
      callTo(dollar, APPROVE, vaultProxy, 0n),
    ]);
  };

  const expectReal = async (plan: FillPlan, { points, outputs }: Envelope): Promise<void> => {
    for (const { amount, success, gasUsed, received } of points) {
      expect({ amount, success, gasUsed, received }).to.deep.equal({
        amount,
        ...(await chain.fill(plan, amount, outputs)),
      });
    }
  };

  it("matches real transactions in amount and gas", async () => {
    const plan = depositAll(995n);
    const envelope = await measureEnvelope(fork, plan, { steps: 6 });
    expect(envelope.outputs).to.deep.equal([chain.contracts.vault]);
    expect(envelope.smallestWorking).to.equal(995n);
    expect(envelope.points.map(({ amount }) => amount)).to.deep.equal([990n, 994n, 995n, 998n, 1_002n, 1_006n, 1_010n]);
    expect(envelope.ranges).to.deep.equal([
      { from: 990n, to: 994n, success: false, failReason: "TOO_LITTLE_RECEIVED", txIndex: 1 },
      { from: 995n, to: 1_010n, success: true, failReason: undefined, txIndex: undefined },
    ]);
    await expectReal(plan, envelope);
  });

  it("matches real transactions with native currency", async () => {
    const plan = chain.plan([{ ...pay(0n), to: RECIPIENT, data: "0x", value: 1_000n }], {
      currency: zeroAddress,
      refundTo: chain.contracts.dollar,
    });
    const envelope = await measureEnvelope(fork, plan, { from: 990n, to: 1_000n, steps: 3 });
    expect(envelope).to.deep.include({ outputs: [zeroAddress], smallestWorking: 1_000n });
    await expectReal(plan, envelope);
  });

  it("has two boundaries if fills fail below and above a range", async () => {
    const plan = chain.plan([atMost(1_234_567n), pay(1_234_560n)]);
    const envelope = await measureEnvelope(fork, plan, { from: 0n, to: 10n ** 12n, steps: 2 });
    expect(envelope.ranges).to.deep.equal([
      { from: 0n, to: 1_234_559n, success: false, failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE", txIndex: 1 },
      { from: 1_234_560n, to: 1_234_567n, success: true, failReason: undefined, txIndex: undefined },
      { from: 1_234_568n, to: 10n ** 12n, success: false, failReason: "MISSING_REVERT_DATA", txIndex: 0 },
    ]);
    expect(envelope.smallestWorking).to.equal(1_234_560n);
    await expectReal(plan, envelope);
  });

  it("uses balances if a token emits no events", async () => {
    const plan = chain.plan([pay(500n, rebasing), callTo(rebasing, TRANSFER, chain.contracts.vault, 1n)], {
      currency: rebasing,
    });
    const envelope = await measureEnvelope(fork, plan, { from: 499n, to: 600n, steps: 4 });
    expect(envelope).to.deep.include({ outputs: [rebasing], smallestWorking: 501n });
    expect(envelope.points.findLast(({ success }) => success)?.received).to.deep.equal([500n]);
    // The search for the gas limit runs the fill with less gas, and compares the delivered amounts.
    expect(envelope.gas!.recommendedLimit < 2n * envelope.gas!.maximum).to.equal(true);
    await expectReal(plan, envelope);
  });

  it("reports a gas limit at which the fill succeeds", async () => {
    const plan = depositAll();
    const { gas } = await measureEnvelope(fork, plan, { steps: 5 });
    expect(gas).to.not.equal(undefined);
    if (gas === undefined) return;
    expect(gas.p99 <= gas.maximum && gas.maximum < gas.recommendedLimit).to.equal(true);
    const limited = await measureEnvelope(fork, { ...plan, gas: gas.recommendedLimit }, { steps: 5 });
    expect(limited.ranges.map(({ success }) => success)).to.deep.equal([true]);
    // The fill fails without the margin for gas that is refunded at the end.
    const starved = await measureEnvelope(fork, { ...plan, gas: (gas.maximum * 9n) / 10n }, { steps: 2 });
    expect(starved).to.deep.include({ smallestWorking: undefined, gas: undefined });
  });

  it("leaves the fork and the chain unchanged", async () => {
    const recorder = await startRpcRecorder(chain.rpcUrl);
    const height = await chain.client.getBlockNumber();
    const root = async () => (await chain.client.getBlock()).stateRoot;
    const rootBefore = await root();
    const watched = await openFork({ rpcUrl: recorder.url });
    const balances = () =>
      Promise.all(
        [watched, fork].map(({ client }) =>
          client.readContract({
            address: chain.contracts.dollar,
            abi: erc20Abi,
            functionName: "balanceOf",
            args: [ROUTER_ADDRESS],
          }),
        ),
      );
    const before = await balances();
    await measureEnvelope(watched, depositAll(), { steps: 4 });
    await measureEnvelope(fork, depositAll(), { steps: 4 });
    expect(await balances()).to.deep.equal(before);
    await watched.close();
    await recorder.close();
    expect(await chain.client.getBlockNumber()).to.equal(height);
    expect(await root()).to.equal(rootBefore);
    expect([...recorder.methods].filter((method) => !READING.test(method))).to.deep.equal([]);
  });

  it("stops when aborted at any moment, and leaves the fork unchanged", async () => {
    const at = async (calls: number) => {
      const stop = new AbortController();
      let tried = 0;
      const work = measureEnvelope(fork, depositAll(995n), {
        steps: 5,
        signal: stop.signal,
        onProgress: () => {
          tried += 1;
          if (tried === calls) stop.abort();
        },
      });
      if (calls === 0) stop.abort();
      expect(await failureOf(work)).to.include({ code: "ABORTED" });
      return tried;
    };
    for (const calls of [0, 1, 3, 7]) expect(await at(calls)).to.equal(calls);
    const { smallestWorking } = await measureEnvelope(fork, depositAll(995n), { steps: 5 });
    expect(smallestWorking).to.equal(995n);
  });
});

/** RPC methods that do not change a node's state. */
const READING =
  /^(eth_(chainId|blockNumber|call|createAccessList|feeHistory|gasPrice|get\w+)|net_version|web3_clientVersion|debug_trace\w+)$/u;
