import { expect } from "chai";
import { type Hex, zeroAddress, zeroHash } from "viem";
import { privateKeyToAddress } from "viem/accounts";

import { decodeAction } from "../../../packages/sdk/src/attestation.ts";
import { InvalidStateError } from "../../../packages/protocol/src/core/errors.ts";
import { KeyService } from "../../support/keyService.ts";
import { Answers } from "../support/responses.ts";
import { LyingRpc } from "../support/lyingRpc.ts";
import { CHAIN, executionSigners, ORACLE_SIGNER } from "../support/oracleNetwork.ts";
import { LIMITER_ABI } from "./support/hubContracts.ts";
import { DEPOSITS, FAILED, oracleSuite, owner } from "./support/oracleSuite.ts";
import type { Action } from "../../../packages/protocol/src/attestation/index.ts";

const LIMITER = "0x0000000000000000000000000000000000001147";
const FINALITY = { finalizationBlocks: 0, finalizationTime: 0 };

describe("an oracle with failing services", () => {
  const suite = oracleSuite();
  const { start } = suite;
  const deposit = (value: bigint): Promise<Hex> => suite.deposit(value, zeroHash, owner);
  const attest = (oracle: { url: string }, transactionId: Hex, change: object = {}) =>
    suite.attest(DEPOSITS, { chainId: CHAIN, transactionId, ...change }, oracle);

  describe("of a chain", () => {
    let endpoints: LyingRpc[];
    before(async () => {
      endpoints = await Promise.all([1, 2, 3].map(() => LyingRpc.start(suite.network.rpcUrl)));
    });
    beforeEach(() => {
      for (const endpoint of endpoints) endpoint.fault = undefined;
    });
    after(() => Promise.all(endpoints.map((endpoint) => endpoint.close())));

    const started = (rpcAgreement: number) => {
      const [first, ...others] = endpoints.map(({ url }) => url);
      return start({
        rpcUrl: first!,
        additionalData: { ...FINALITY, rpcUrls: others, rpcAgreement },
      });
    };

    for (const [fault, failure] of [
      ["down", "unreachable"],
      ["rate-limited", "rate-limited"],
      ["malformed", "malformed"],
      ["slow", undefined],
    ] as const) {
      for (const agreement of [1, 2]) {
        it(`continues while one endpoint is ${fault} and ${agreement} must agree${failure === undefined ? "" : ", and reports it"}`, async () => {
          const transactionId = await deposit(5n);
          await using oracle = await started(agreement);
          endpoints[0]!.fault = fault;
          const { status, body } = await attest(oracle, transactionId);
          expect(status).to.equal(200);
          expect(await executionSigners(body.execution!)).to.deep.equal([ORACLE_SIGNER]);
          const metrics = await (await fetch(`${oracle.url}/metrics`)).text();
          const endpoint = new URL(endpoints[0]!.url).host;
          const named = metrics.match(/^oracle_rpc_failures_total\{.*$/gmu)?.filter((line) => line.includes(endpoint));
          expect(named?.every((line) => line.includes(`failure="${failure}"`)) ?? false).to.equal(
            failure !== undefined,
          );
        });
      }
    }

    it("does not wait for a hanging endpoint if enough other endpoints agree", async () => {
      const transactionId = await deposit(5n);
      await using oracle = await started(2);
      endpoints[0]!.fault = "hanging";
      const { status, body } = await attest(oracle, transactionId);
      expect(status).to.equal(200);
      expect(await executionSigners(body.execution!)).to.deep.equal([ORACLE_SIGNER]);
      // The endpoint is not reported, because its timeout has not passed yet.
      expect(await (await fetch(`${oracle.url}/metrics`)).text()).not.to.include("oracle_rpc_failures_total{");
    });

    it("signs nothing if too few endpoints remain, hides the cause, and resumes when they recover", async () => {
      const transactionId = await deposit(6n);
      for (const [agreement, faulty] of [
        [1, 3],
        [2, 2],
      ] as const) {
        for (const fault of ["down", "rate-limited", "malformed"] as const) {
          await using oracle = await started(agreement);
          for (const endpoint of endpoints.slice(0, faulty)) endpoint.fault = fault;
          expect(await attest(oracle, transactionId)).to.deep.equal({ status: 500, body: FAILED });
          for (const endpoint of endpoints) endpoint.fault = undefined;
          expect((await attest(oracle, transactionId)).status).to.equal(200);
        }
      }
    });
  });

  it("signs nothing while the key service rejects requests, and does not start without the key service", async () => {
    const privateKey: Hex = `0x${"4c".repeat(32)}`;
    const service = await KeyService.start(privateKey);
    try {
      const signing = { module: "cloud-kms", keyId: "alias/oracle", region: "eu-west-1" } as const;
      await using oracle = await start({ settings: { signing } });
      const transactionId = await deposit(7n);
      const signer = privateKeyToAddress(privateKey).toLowerCase();
      expect(await executionSigners((await attest(oracle, transactionId)).body.execution!)).to.deep.equal([signer]);
      for (const refusal of [
        { status: 400, body: { __type: "AccessDeniedException", message: "secret-reason" } },
        { status: 500, body: {} },
        { status: 200, body: {} },
        { status: 200, body: { Signature: Buffer.from("no signature").toString("base64") } },
      ]) {
        service.answer = () => refusal;
        expect(await attest(oracle, transactionId)).to.deep.equal({ status: 500, body: FAILED });
        let failure: unknown;
        try {
          await start({ settings: { signing } });
        } catch (error) {
          failure = error;
        }
        expect(failure).to.be.instanceOf(InvalidStateError);
      }
      service.answer = undefined;
      expect(await executionSigners((await attest(oracle, transactionId)).body.execution!)).to.deep.equal([signer]);
    } finally {
      await service.close();
    }
  });

  describe("in fast mode", () => {
    const tiers = [
      { maxAmount: "1000", finalizationBlocks: 2, finalizationTime: 0 },
      { maxAmount: "10", finalizationBlocks: 1, finalizationTime: 0 },
    ];
    const additionalData = {
      finalizationBlocks: 4,
      finalizationTime: 8,
      fastMode: { finalityTiers: { [zeroAddress]: tiers } },
    };
    const hub = { rateLimiter: { address: LIMITER, type: "amount" } } as const;
    let limiter: Answers<typeof LIMITER_ABI>;
    before(async () => {
      limiter = await Answers.at(suite.network, LIMITER, LIMITER_ABI, [{ functionName: "canConsume", result: true }]);
    });

    const fast = { mode: "fast" };
    const statuses = async (oracle: { url: string }, transactions: readonly Hex[], change: object = fast) =>
      Promise.all(transactions.map(async (hash) => (await attest(oracle, hash, change)).status));
    const actionOf = async (
      oracle: { url: string },
      transactionId: Hex,
      change: object,
    ): Promise<Action | undefined> => {
      const { body } = await attest(oracle, transactionId, change);
      return body.execution?.actions.map((action) => decodeAction(action as Hex))[0];
    };

    it("credits amounts up to the limit of their tier, and with a regular mint once they are final", async () => {
      await using oracle = await start({ additionalData, hub });
      // An amount belongs to the tier with the smallest maximum above it.
      const large = await deposit(1000n);
      const middle = await deposit(10n);
      const small = await deposit(9n);
      const all = [small, middle, large];
      expect(await statuses(oracle, all)).to.deep.equal([400, 400, 400]);
      await suite.network.mine(1, 1);
      expect(await statuses(oracle, all)).to.deep.equal([200, 200, 400]);
      expect(await statuses(oracle, all, {})).to.deep.equal([400, 400, 400]);
      const minted = await actionOf(oracle, small, fast);
      expect(minted).to.deep.include({ type: "fastMint", amount: 9n, feeCalculator: zeroAddress });
      expect(minted).to.deep.include({ feeCalculatorData: "0x", rateLimiterData: "0x" });
      expect(minted?.type === "fastMint" && minted.rateLimiter.toLowerCase()).to.equal(LIMITER);
      await suite.network.mine(3, 10);
      expect(await statuses(oracle, all)).to.deep.equal([200, 200, 200]);
      expect(await statuses(oracle, all, {})).to.deep.equal([200, 200, 200]);
      // Earlier requests have no effect.
      expect(await actionOf(oracle, small, fast)).to.have.property("type", "fastMint");
      expect(await actionOf(oracle, small, {})).to.have.property("type", "mint");
      // An amount above every tier is credited with a regular mint.
      for (const change of [fast, {}]) expect(await actionOf(oracle, large, change)).to.have.property("type", "mint");
    });

    it("reports no deposits for a transaction without deposits, even a recent one", async () => {
      await using oracle = await start({ additionalData, hub });
      const transactionId = await suite.network.send({ to: owner, value: 1n });
      expect(await attest(oracle, transactionId, fast)).to.deep.equal({ status: 200, body: { messages: [] } });
      const message = `Transaction ${transactionId} is not finalized`;
      expect(await attest(oracle, transactionId)).to.deep.equal({ status: 400, body: { message } });
    });

    it("is rejected above the hub's limit, and left to the hub's own check if the limiter does not respond", async () => {
      await using oracle = await start({ additionalData, hub });
      const transactionId = await deposit(3n);
      await suite.network.mine(1, 1);
      await limiter.set({ functionName: "canConsume", args: [CHAIN, zeroAddress, 3n], result: false });
      expect(await attest(oracle, transactionId, fast)).to.deep.equal({
        status: 400,
        body: { message: "Fast mode rate limit exceeded" },
      });
      const otherAddress = { rateLimiter: { address: `0x${"77".repeat(20)}`, type: "amount" } } as const;
      await using unlimited = await start({ additionalData, hub: otherAddress });
      expect((await attest(unlimited, transactionId, fast)).status).to.equal(200);
    });

    it("fails if the limiter or the fee recipient is not configured, and waits for finality if the chain has neither", async () => {
      const transactionId = await deposit(4n);
      await suite.network.mine(1, 1);
      await using withoutLimiter = await start({ additionalData });
      expect(await attest(withoutLimiter, transactionId, fast)).to.deep.equal({ status: 500, body: FAILED });
      const fees = tiers.map((tier) => ({ ...tier, feeBps: 5 }));
      const fastMode = { finalityTiers: { [zeroAddress]: fees } };
      await using withFee = await start({ additionalData: { ...additionalData, fastMode }, hub });
      expect(await attest(withFee, transactionId, fast)).to.deep.equal({ status: 500, body: FAILED });
      const { fastMode: _, ...slow } = additionalData;
      await using without = await start({ additionalData: slow, hub });
      expect(await statuses(without, [transactionId])).to.deep.equal([400]);
    });
  });
});
