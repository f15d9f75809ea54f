import { expect } from "chai";
import fc from "fast-check";
import { type Address, concat, type Hex, maxUint256, zeroAddress } from "viem";

import { ROUTER_ADDRESS } from "../../../packages/protocol/src/generations/routers.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/index.ts";
import type { Envelope } from "../../../packages/crosscall/src/replay/envelope/envelope.ts";
import { measureEnvelope } from "../../../packages/crosscall/src/replay/envelope/measureEnvelope.ts";
import type { FillPlan } from "../../../packages/crosscall/src/replay/fillPlan.ts";
import { openFork } from "../../../packages/crosscall/src/replay/fork/openFork.ts";
import { measureRemoteEnvelope } from "../../../packages/crosscall/src/replay/replayRemotely.ts";
import { failureOf } from "../support/failureOf.ts";
import { callTo, type LiveChain, RECIPIENT, startLiveChain } from "../support/liveChain.ts";
import { stopPrograms } from "../support/processes.ts";
import { type RpcRecorder, startRpcRecorder } from "../support/rpcRecorder.ts";

const CHAIN_ID = 31_471;
const TRANSFER = "function transfer(address to, uint256 amount)";
const APPROVE = "function approve(address spender, uint256 amount)";
const EXECUTE = "function execute(address recipient, uint256 minimumIn, uint256 minimumOut, uint256 deadline)";

const STRANGER: Address = "0x00000000000000000000000000000000000000e1";

/**
 * Contract that forwards the received value to the recipient if at least 500,000 gas is left, and otherwise
 * reverts.
 */
const THIRSTY: Address = "0x00000000000000000000000000000000000000a7";
const THIRSTY_CODE: Hex = concat(["0x6207a1205a11600c575f5ffd", "0x5b5f5f5f5f3460c15af100"]);

describe("an envelope without a fork", () => {
  let chain: LiveChain;
  let recorder: RpcRecorder;

  before(async () => {
    chain = await startLiveChain(CHAIN_ID, "--hardfork", "prague");
    recorder = await startRpcRecorder(chain.rpcUrl);
  });
  after(async () => {
    await recorder.close();
    await stopPrograms();
  });

  const depositAll = (minimumIn = 1n): FillPlan => {
    const { dollar, vaultProxy } = chain.contracts;
    return chain.plan([
      callTo(dollar, APPROVE, vaultProxy, maxUint256),
      callTo(vaultProxy, EXECUTE, RECIPIENT, minimumIn, 1n, maxUint256),
      callTo(dollar, APPROVE, vaultProxy, 0n),
    ]);
  };
  const pay = (amount: bigint, currency: Address, terms: Partial<FillPlan> = {}): FillPlan =>
    chain.plan([callTo(currency, TRANSFER, RECIPIENT, amount)], { currency, ...terms });

  /** Returns the results that do not depend on gas. */
  const outcomes = ({ outputs, points, ranges, smallestWorking }: Envelope) => ({
    outputs,
    points: points.map(({ amount, success, received }) => ({ amount, success, received })),
    ranges: ranges.map(({ from, to, success, failReason }) => ({ from, to, success, failReason })),
    smallestWorking,
  });

  it("matches the envelope from a fork, except for gas refunds", async () => {
    const plan = depositAll(995n);
    const remote = await measureRemoteEnvelope(plan, { rpcUrl: chain.rpcUrl, steps: 6 });
    const fork = await openFork({ rpcUrl: chain.rpcUrl });
    const local = await measureEnvelope(fork, plan, { steps: 6 });
    await fork.close();
    expect(outcomes(remote)).to.deep.equal(outcomes(local));
    for (const [index, { success, gasUsed }] of remote.points.entries()) {
      const receipt = local.points[index]?.gasUsed ?? 0n;
      // This fill receives the maximum gas refund, which is one fifth of the gas used.
      if (success) expect(gasUsed - gasUsed / 5n).to.equal(receipt);
    }
    const limited = { ...plan, gas: remote.gas?.recommendedLimit ?? 0n };
    for (const amount of [995n, 1_010n]) {
      expect((await chain.fill(limited, amount, remote.outputs)).success).to.equal(true);
    }
  });

  for (const [name, currencyOf] of [
    ["a token", () => chain.contracts.token],
    ["a token whose calls return nothing", () => chain.contracts.tether],
    ["wrapped native", () => chain.contracts.wrappedNative],
  ] as const) {
    it(`finds the balances of ${name}, and reports the gas of its transaction`, async () => {
      // No gas is refunded, because no storage is cleared: one unit stays on the router, which stores no NFT
      // recipient.
      const plan = pay(700n, currencyOf(), { nftRecipient: zeroAddress });
      const { outputs, points } = await measureRemoteEnvelope(plan, {
        rpcUrl: chain.rpcUrl,
        from: 701n,
        to: 702n,
        steps: 2,
      });
      expect(outputs).to.deep.equal([currencyOf()]);
      if (currencyOf() === chain.contracts.wrappedNative) return;
      for (const { amount, success, gasUsed, received } of points) {
        expect(await chain.fill(plan, amount, outputs)).to.deep.equal({ success, gasUsed, received });
      }
    });
  }

  it("measures fills with native currency", async () => {
    const plan = chain.plan([{ to: RECIPIENT, data: "0x", value: 1_000n, allowFailure: false }], {
      currency: zeroAddress,
      refundTo: chain.contracts.dollar,
      nftRecipient: zeroAddress,
    });
    const { outputs, smallestWorking, points } = await measureRemoteEnvelope(plan, {
      rpcUrl: chain.rpcUrl,
      from: 990n,
      to: 1_000n,
      steps: 3,
    });
    expect({ outputs, smallestWorking }).to.deep.equal({ outputs: [zeroAddress], smallestWorking: 1_000n });
    const { gasUsed, received } = points.at(-1) ?? {};
    expect(await chain.fill(plan, 1_000n, outputs)).to.deep.equal({ success: true, gasUsed, received });
  });

  it("measures fills with native currency if the router already holds some", async () => {
    await chain.request("anvil_setBalance", [ROUTER_ADDRESS, "0x5"]);
    const plan = chain.plan([{ to: RECIPIENT, data: "0x", value: 1_000n, allowFailure: false }], {
      currency: zeroAddress,
      refundTo: STRANGER,
    });
    const { ranges, outputs } = await measureRemoteEnvelope(plan, {
      rpcUrl: chain.rpcUrl,
      from: 990n,
      to: 1_000n,
      steps: 3,
    });
    expect(ranges.map(({ from, to, success }) => [from, to, success])).to.deep.equal([
      [990n, 994n, false],
      [995n, 1_000n, true],
    ]);
    for (const [amount, success] of [
      [994n, false],
      [995n, true],
    ] as const) {
      expect(await chain.fill(plan, amount, outputs)).to.include({ success });
    }
    await chain.request("anvil_setBalance", [ROUTER_ADDRESS, "0x0"]);
  });

  it("reports a gas limit at which even the calls that are allowed to fail succeed, as on a fork", async () => {
    await chain.request("anvil_setCode", [THIRSTY, THIRSTY_CODE]);
    const plan = chain.plan([{ to: THIRSTY, data: "0x", value: 1_000n, allowFailure: true }], {
      currency: zeroAddress,
      refundTo: STRANGER,
    });
    const range = { from: 1_000n, to: 1_000n, steps: 2 };
    const outputs = [zeroAddress];
    const fork = await openFork({ rpcUrl: chain.rpcUrl });
    for (const { gas } of [
      await measureRemoteEnvelope(plan, { ...range, rpcUrl: chain.rpcUrl, outputs }),
      await measureEnvelope(fork, plan, range),
    ]) {
      const limited = await chain.fill({ ...plan, gas: gas?.recommendedLimit ?? 0n }, 1_000n, outputs);
      expect([limited.success, limited.received]).to.deep.equal([true, [1_000n]]);
    }
    await fork.close();
  });

  it("reports the received amount when the solver is the recipient", async () => {
    const { token } = chain.contracts;
    const recipient = localAccounts.solver.address;
    const plan = chain.plan([callTo(token, TRANSFER, recipient, 700n)], { currency: token, recipient });
    const { outputs, points, gas } = await measureRemoteEnvelope(plan, {
      rpcUrl: chain.rpcUrl,
      from: 701n,
      to: 702n,
      steps: 2,
    });
    for (const { amount, received } of points) {
      expect(received).to.deep.equal((await chain.fill(plan, amount, outputs)).received);
    }
    expect(gas?.recommendedLimit).to.be.lessThan(200_000n);
  });

  it("needs few reads for any boundary, and no writes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 1n, max: 10n ** 24n }), async (paid) => {
        const plan = pay(paid, chain.contracts.token);
        const before = recorder.count;
        const { smallestWorking } = await measureRemoteEnvelope(plan, {
          rpcUrl: recorder.url,
          from: 0n,
          to: 10n ** 24n,
          steps: 2,
          callGas: 1_000_000_000n,
        });
        expect(smallestWorking).to.equal(paid);
        expect(recorder.count - before).to.be.lessThan(40);
      }),
      { numRuns: 5 },
    );
    expect([...recorder.methods].sort()).to.deep.equal([
      "debug_traceCall",
      "eth_call",
      "eth_chainId",
      "eth_createAccessList",
      "eth_getBlockByNumber",
      "eth_getCode",
    ]);
  });

  it("retries with another call if a call runs out of gas", async () => {
    const plan = { ...depositAll(), gas: 1_000_000n };
    const options = { rpcUrl: recorder.url, steps: 60 };
    const wide = await measureRemoteEnvelope(plan, { ...options, callGas: 1_000_000_000n });
    const narrow = await measureRemoteEnvelope(plan, { ...options, callGas: 4_000_000n });
    expect(narrow).to.deep.equal(wide);
  });

  it("rejects plans that it cannot measure", async () => {
    const { feeToken, dollar } = chain.contracts;
    const measure = (plan: FillPlan, rpcUrl = chain.rpcUrl) => failureOf(measureRemoteEnvelope(plan, { rpcUrl }));
    expect(await measure(pay(1n, feeToken))).to.include({ code: "INVALID_STATE" });
    expect(await measure(pay(1n, chain.contracts.vaultProxy))).to.include({ code: "INVALID_STATE" });
    expect(await measure({ ...pay(1n, dollar), gas: 10n ** 12n })).to.include({ code: "INVALID_STATE" });
    expect(await measure({ ...pay(1n, dollar), chainId: 1 })).to.include({ code: "WRONG_CHAIN", expectedChainId: 1 });
    expect(await measure(pay(1n, dollar), "http://127.0.0.1:9")).to.include({ code: "CHAIN_ERROR" });
  });

  it("stops on abort", async () => {
    const stop = new AbortController();
    const work = measureRemoteEnvelope(depositAll(995n), {
      rpcUrl: chain.rpcUrl,
      signal: stop.signal,
      onProgress: () => {
        stop.abort();
      },
    });
    expect(await failureOf(work)).to.include({ code: "ABORTED" });
  });
});
