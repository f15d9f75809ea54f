import { expect } from "chai";
import { concat, getAddress, zeroAddress } from "viem";

import type { FillPlan } from "../../../packages/crosscall/src/replay/fillPlan.ts";
import { type FillInspection, inspectFill } from "../../../packages/crosscall/src/replay/inspectFill.ts";
import { preparePlanned } from "../../../packages/crosscall/src/replay/prepare/preparedFill.ts";
import type { Deal } from "../../../packages/crosscall/src/replay/deal.ts";
import {
  approve,
  callOf,
  execute,
  type FillFork,
  MINT,
  openFillFork,
  rawCall,
  SOLVER,
  TRANSFER,
  USER,
} from "./support/fillFork.ts";
import { catcherCode } from "./failures/causeFailures.ts";

describe("inspectFill", () => {
  let world: FillFork;

  before(async () => {
    world = await openFillFork();
  });
  after(() => world.close());

  const inspect = async (plan: FillPlan, amount: bigint, proxies?: FillInspection["plan"]["router"][]) =>
    inspectFill({ prepared: await world.run(plan, amount), plan, amount, proxies });

  /** Returns the code, severity, call and leftover amount of each finding. */
  const plainFindings = ({ findings }: FillInspection) =>
    findings.map(({ code, severity, txIndex, left }) => [code, severity, txIndex, left]);

  it("reports a successful fill in full, without findings", () =>
    world.fork.isolate(async () => {
      const { dollar, vault, vaultProxy } = world.contracts;
      const { router } = world;
      const plan = world.plan([
        approve(dollar, vaultProxy),
        execute(vaultProxy, { minimumOut: 900n }),
        approve(dollar, vaultProxy, 0n),
      ]);
      const { trace, ...inspection } = await inspect(plan, 1_000n);
      expect(trace.calls.map(({ txIndex }) => txIndex)).to.deep.equal([0, 1, 2]);
      expect(trace.calls[1]?.result).to.equal("(amountIn: 1000, amountOut: 1000)");
      expect(inspection).to.deep.equal({
        plan,
        blockNumber: world.fork.block.number,
        amount: 1_000n,
        verdict: { outcome: "success" },
        findings: [],
        gasUsed: trace.frame.gasUsed,
        transfers: [
          { currency: dollar, from: router, to: vaultProxy, amount: 1_000n, txIndex: 1 },
          { currency: dollar, from: vaultProxy, to: vault, amount: 1_000n, txIndex: 1 },
          { currency: vault, from: zeroAddress, to: USER, amount: 1_000n, txIndex: 1 },
        ],
        balances: [
          { account: router, currency: dollar, before: 1_000n, after: 0n },
          { account: USER, currency: vault, before: 0n, after: 1_000n },
          { account: vault, currency: dollar, before: 0n, after: 1_000n },
        ],
        allowances: [],
        currencies: [
          { address: dollar, symbol: "USDC", decimals: 6 },
          { address: vault, symbol: "vUSDC", decimals: 6 },
        ],
        names: {
          [router]: "router",
          [SOLVER]: "solver",
          [USER]: "recipient",
          [dollar]: "USDC",
          [vault]: "vUSDC",
          [vaultProxy]: "destination proxy",
        },
        original: undefined,
      });
    }));

  it("reports leftover tokens and allowances, ignored failures, and the checker's findings", () =>
    world.fork.isolate(async () => {
      const { dollar, vault } = world.contracts;
      const { router } = world;
      const send = callOf(dollar, TRANSFER, USER, 900n);
      const plan = world.plan([send, approve(dollar, vault, 5n), { ...send, allowFailure: true }]);
      const inspection = await inspect(plan, 990n);
      expect(plainFindings(inspection)).to.deep.equal([
        ["LEFT_TOKENS", "error", undefined, { account: router, currency: dollar, amount: 90n }],
        ["LEFT_ALLOWANCE", "warning", undefined, { account: router, currency: dollar, amount: 5n }],
        ["SWALLOWED_FAILURE", "warning", 2, undefined],
        ["CALLS_PROBLEM", "warning", undefined, undefined],
        ["CALLS_PROBLEM", "warning", 1, undefined],
        ["CALLS_PROBLEM", "warning", 2, undefined],
        ["CALLS_PROBLEM", "error", 2, undefined],
      ]);
      const rules = inspection.findings.flatMap(({ code, reason }) =>
        code === "CALLS_PROBLEM" ? reason.split(":")[0] : [],
      );
      expect(rules).to.deep.equal(["LEFTOVER_TOKEN", "ALLOWANCE_LEFT", "DUPLICATE_CALL", "AMOUNT_IN_CALL_DATA"]);
      expect(inspection.allowances).to.deep.equal([
        { token: dollar, owner: router, spender: vault, before: 0n, after: 5n },
      ]);
      expect(inspection.trace.calls.map(({ isSwallowed }) => isSwallowed)).to.deep.equal([false, false, true]);
    }));

  it("treats the amount as variable only for EXACT_INPUT", () =>
    world.fork.isolate(async () => {
      const plan = world.plan([callOf(world.contracts.dollar, TRANSFER, USER, 990n)], { expectedAmount: 990n });
      const prepared = await world.run(plan, 990n);
      const rulesOf = async (tradeType?: "EXACT_INPUT" | "EXACT_OUTPUT") => {
        const { findings } = await inspectFill({ prepared, plan, amount: 990n, tradeType });
        return findings.map(({ reason }) => reason.split(":")[0]);
      };
      expect(await rulesOf("EXACT_INPUT")).to.deep.equal(["LEFTOVER_TOKEN", "AMOUNT_IN_CALL_DATA"]);
      expect(await rulesOf("EXACT_OUTPUT")).to.deep.equal([]);
      expect(await rulesOf()).to.deep.equal([]);
    }));

  it("reports the entire delivered amount if no call spends it", () =>
    world.fork.isolate(async () => {
      const { dollar, vaultProxy } = world.contracts;
      const inspection = await inspect(world.plan([approve(dollar, vaultProxy, 0n)]), 1_000n);
      expect(inspection.balances).to.deep.equal([]);
      expect(plainFindings(inspection).filter(([code]) => code === "LEFT_TOKENS")).to.deep.equal([
        ["LEFT_TOKENS", "error", undefined, { account: world.router, currency: dollar, amount: 1_000n }],
      ]);
    }));

  it("excludes gas costs from native currency amounts", () =>
    world.fork.isolate(async () => {
      const { wrappedNative } = world.contracts;
      const calls = [rawCall(wrappedNative, "0xd0e30db0", 9n), callOf(wrappedNative, TRANSFER, USER, 9n)];
      const { balances } = await inspect(world.plan(calls, { currency: zeroAddress }), 10n);
      expect(balances.map(({ account, currency, before, after }) => [account, currency, after - before])).to.deep.equal(
        [
          [SOLVER, zeroAddress, -10n],
          [USER, zeroAddress, 1n],
          [USER, wrappedNative, 9n],
          [wrappedNative, zeroAddress, 9n],
        ],
      );
    }));

  it("reads balances of tokens without events, and includes the integrator's own proxies", () =>
    world.fork.isolate(async () => {
      const strict = await world.deploy("mocks/StrictToken");
      const own = await world.deploy("mocks/Target");
      await world.send(callOf(strict, MINT, world.router, 50n));
      await world.send(callOf(strict, MINT, own, 7n));
      const plan = world.plan([callOf(strict, TRANSFER, USER, 40n), callOf(strict, TRANSFER, own, 10n)], {
        currency: strict,
      });
      const inspection = await inspect(plan, 50n, [own]);
      expect(inspection.transfers).to.deep.equal([]);
      expect(inspection.balances).to.deep.equal([
        { account: world.router, currency: strict, before: 50n, after: 0n },
        { account: USER, currency: strict, before: 0n, after: 40n },
        { account: own, currency: strict, before: 7n, after: 17n },
      ]);
      expect(plainFindings(inspection)[0]).to.deep.equal([
        "LEFT_TOKENS",
        "warning",
        undefined,
        { account: own, currency: strict, amount: 10n },
      ]);
      expect(inspection.currencies).to.deep.equal([]);
    }));

  it("reports that the calls ignore a token's return value of false, and that the recipient receives nothing", () =>
    world.fork.isolate(async () => {
      const token = await world.deploy("mocks/FalseToken");
      await world.send(callOf(token, "function refuse(bytes4 selector)", "0xa9059cbb"));
      const plan = world.plan([callOf(token, TRANSFER, USER, 990n)], { currency: token });
      const inspection = await inspect(plan, 990n);
      expect(inspection.verdict).to.deep.equal({ outcome: "success" });
      expect(plainFindings(inspection).slice(0, 3)).to.deep.equal([
        ["LEFT_TOKENS", "error", undefined, { account: world.router, currency: token, amount: 990n }],
        ["NOTHING_DELIVERED", "warning", undefined, undefined],
        ["SWALLOWED_FAILURE", "warning", 0, undefined],
      ]);
    }));

  it("reports calls to addresses without code, even inside other contracts, and calls without an effect", () =>
    world.fork.isolate(async () => {
      const { dollar } = world.contracts;
      const token = await world.deploy("mocks/FalseToken");
      const withoutCode = getAddress("0x00000000000000000000000000000000000e0a01");
      const caller = getAddress("0x00000000000000000000000000000000000e0a03");
      // Calls 0x12345678 of an address, and ignores the result.
      const code = concat(["0x6312345678600052600060006004601c600073", withoutCode, "0x5af15000"]);
      await world.fork.request("hardhat_setCode", [caller, code]);
      const plan = world.plan([
        rawCall(caller, "0x87654321"),
        callOf(world.contracts.token, "function balanceOf(address account)", USER),
        callOf(token, "function refuse(bytes4 selector)", "0xa9059cbb"),
        callOf(dollar, TRANSFER, USER, 990n),
        rawCall(withoutCode, "0x12345678"),
      ]);
      const { verdict, findings } = await inspect(plan, 990n);
      expect(verdict).to.deep.equal({ outcome: "success" });
      const inspection = findings
        .filter(({ code, reason }) => code.startsWith("CALL_WITHOUT_") || reason.startsWith("TARGET_WITHOUT_CODE"))
        .map(({ code, txIndex, reason }) => [code, txIndex, reason.split(":")[0]]);
      expect(inspection).to.deep.equal([
        [
          "CALL_WITHOUT_CODE",
          0,
          `${caller} calls 0x12345678 of ${withoutCode}, which has no code, so that the call succeeds and does nothing`,
        ],
        ["CALL_WITHOUT_EFFECT", 0, `${caller} leaves no change after 0x87654321`],
        ["CALL_WITHOUT_EFFECT", 1, `${world.contracts.token} leaves no change after balanceOf`],
        ["CALLS_PROBLEM", 4, "TARGET_WITHOUT_CODE"],
      ]);
    }));

  it("does not report calls whose change other calls see: a lock that is released, and transient storage", () =>
    world.fork.isolate(async () => {
      const lock = getAddress("0x00000000000000000000000000000000000e0a04");
      const reader = getAddress("0x00000000000000000000000000000000000e0a05");
      const note = getAddress("0x00000000000000000000000000000000000e0a06");
      // Switches slot 0 between 0 and 1.
      await world.fork.request("hardhat_setCode", [lock, "0x6000541560005500"]);
      // Stores 1 in transient storage if the call has data, or else returns it.
      await world.fork.request("hardhat_setCode", [note, "0x36600f5760005c60005260206000f35b600160005d00"]);
      // Emits an event with what the other contract returns.
      const read = concat(["0x602060006000600073", note, "0x5afa5060206000a000"]);
      await world.fork.request("hardhat_setCode", [reader, read]);
      const idle = getAddress("0x00000000000000000000000000000000000e0a07");
      await world.fork.request("hardhat_setCode", [idle, "0x600160005d00"]);
      const plan = world.plan([
        rawCall(lock, "0x11111111"),
        rawCall(note, "0x22222222"),
        rawCall(reader, "0x33333333"),
        callOf(world.contracts.dollar, TRANSFER, USER, 990n),
        rawCall(lock, "0x44444444"),
        rawCall(idle, "0x55555555"),
      ]);
      const { verdict, findings, trace } = await inspect(plan, 990n);
      expect(verdict).to.deep.equal({ outcome: "success" });
      const reading = trace.calls.find(({ txIndex }) => txIndex === 2);
      expect(reading?.logs.map(({ data }) => BigInt(data))).to.deep.equal([1n]);
      expect(
        findings.filter(({ code }) => code === "CALL_WITHOUT_EFFECT").map(({ txIndex, reason }) => [txIndex, reason]),
      ).to.deep.equal([
        [
          5,
          `${idle} leaves no change after 0x55555555: no event, no transfer of native currency, and no changed storage`,
        ],
      ]);
    }));

  it("reports a call that ran out of gas if its caller continued", () =>
    world.fork.isolate(async () => {
      const place = "0x00000000000000000000000000000000000e0a02";
      await world.fork.request("hardhat_setCode", [place, catcherCode("0x00")]);
      const plan = world.plan([rawCall(place, "0x12345678"), callOf(world.contracts.dollar, TRANSFER, USER, 990n)]);
      const { findings } = await inspect(plan, 990n);
      const [found] = findings.filter(({ code }) => code === "SWALLOWED_FAILURE");
      expect(found?.reason).to.match(/^a call to 0x\w+ ran out of its 30000 gas, but the fill continued$/u);
      expect(found?.hint).to.include("63/64");
    }));

  it("runs in the fork's block even if a transfer must fund the delivered amount", () =>
    world.fork.isolate(async () => {
      const { fork } = world;
      const plan = world.plan([callOf(world.contracts.dollar, TRANSFER, USER, 990n)]);
      // Simulates a slow machine.
      await fork.request("evm_increaseTime", ["0x5"]);
      const deal: Deal = async (parameters) => {
        await world.deal(parameters);
        // A transfer mines a block.
        if (parameters.currency !== zeroAddress) await fork.request("evm_mine");
      };
      const prepared = await preparePlanned(fork, { plan, amount: 990n, deal });
      const { timestamp } = await fork.client.getBlock();
      expect(timestamp).to.equal(fork.environment.timestamp);
      const { balances } = await inspectFill({ prepared, plan, amount: 990n });
      expect(balances.map(({ account, after }) => [account, after])).to.deep.equal([
        [world.router, 0n],
        [USER, 990n],
      ]);
    }));

  it("changes nothing if the fill fails, and restores the fork", () =>
    world.fork.isolate(async () => {
      const { dollar } = world.contracts;
      const plan = world.plan([callOf(dollar, TRANSFER, USER, 991n)]);
      const height = await world.fork.client.getBlockNumber();
      const { verdict, balances, allowances, transfers, currencies } = await inspect(plan, 990n);
      expect(verdict.outcome === "failure" && verdict.condition).to.deep.equal({
        kind: "balance",
        account: world.router,
        needed: 991n,
        had: 990n,
        currency: dollar,
      });
      expect({ balances, allowances, transfers }).to.deep.equal({ balances: [], allowances: [], transfers: [] });
      expect(currencies).to.deep.equal([{ address: dollar, symbol: "USDC", decimals: 6 }]);
      expect(await world.fork.client.getBlockNumber()).to.equal(height);
    }));
});
