import { expect } from "chai";
import { type Address, encodeFunctionData, type Hex, parseEther, zeroAddress } from "viem";

import { createServiceClient, executeSteps } from "../../packages/sdk/src/index.ts";
import type { Quote } from "../../packages/protocol/src/complete.ts";
import { type Call, quoteFeeTable, type QuoteRequest, recordFeeTable } from "../../packages/protocol/src/index.ts";
import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import { getQuote } from "../support/complete.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";
import { dollarsOf, mintDollars, reader, userWallet } from "./support/parties.ts";
import { etherRequest, depositAndWatch, deployMock, quoteEther, requestIdOf } from "./support/requests.ts";
import { get, post, recordOf, recordV2Of } from "./support/serviceCalls.ts";

const HOUR_MS = 3_600_000;

describe("the fill terms of a quote request", () => {
  const network = useNetwork({ sponsoringApiKeys: ["crosscall-local"] });
  const [origin, destination] = chainsOf(network);
  let target: Address;

  before(async () => {
    target = await deployMock(network, destination, "mocks/Target");
    await mintDollars(network, origin, 1_000_000_000n);
  });
  afterEach(() => network.clock.reset());

  const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
  const work = (turns: bigint): Call => ({
    to: target,
    data: encodeFunctionData({ abi: readArtifact("mocks/Target").abi, functionName: "work", args: [turns] }),
    value: "0",
  });
  const dollars = (change: Partial<QuoteRequest> = {}): QuoteRequest =>
    etherRequest(network, {
      originCurrency: origin.contracts.dollar,
      amount: "100000000",
      recipient: network.accounts.stranger.address,
      ...change,
    });
  const execute = (quote: Quote) =>
    executeSteps(client(), { quote, wallet: userWallet(network, origin), pollIntervalMs: 25 });
  const executionOf = ({ details }: Quote): number => -Number(details.expandedPriceImpact.execution.usd);

  async function expectRefused(change: Partial<QuoteRequest>, errorCode: string, field: string): Promise<void> {
    const answer = await post(network, "/quote/v2", dollars(change), { "x-api-key": network.apiKey });
    expect(answer.status).to.equal(400);
    expect(answer.body).to.include({ errorCode, field });
  }

  describe("txsGasLimit", () => {
    it("replaces the gas estimate in the price", async () => {
      const [less, more] = await Promise.all([
        quoteEther(network, { txs: [work(1n)], txsGasLimit: 100_000 }),
        quoteEther(network, { txs: [work(1n)], txsGasLimit: 5_000_000 }),
      ]);
      expect(executionOf(more)).to.be.above(executionOf(less));
      expect(BigInt(more.details.currencyOut.amount) < BigInt(less.details.currencyOut.amount)).to.equal(true);
    });

    it("lets calls use this amount of gas, even above the normal limit for a fill", async () => {
      const quote = await quoteEther(network, { txs: [work(4_500n)], txsGasLimit: 14_000_000 });
      expect(await depositAndWatch(network, quote)).to.include({ status: "success" });
      const [fill] = (await recordOf(network, requestIdOf(quote))).data.outTxs;
      const { gas } = await reader(destination).getTransaction({ hash: fill?.txHash as Hex });
      expect(gas >= 14_000_000n && gas < 14_500_000n).to.equal(true);
    });

    it("refunds requests with calls that need more gas", async () => {
      const quote = await quoteEther(network, { txs: [work(1n), work(100n)], txsGasLimit: 100_000 });
      const { status, details } = await depositAndWatch(network, quote);
      expect(status).to.equal("refund");
      expect(details).to.match(
        /^QUOTED_GAS_LIMIT_EXCEEDED: txs use \d+ gas, which is more than the txsGasLimit of 100000$/u,
      );
    });

    it("becomes the gas limit of a user's own same-chain transaction", async () => {
      const request = {
        destinationChainId: origin.id,
        destinationCurrency: zeroAddress,
        amount: "5",
        refundTo: network.accounts.user.address,
      };
      const txs = [{ to: network.accounts.stranger.address, data: "0x", value: "5" }];
      const { steps } = await quoteEther(network, { ...request, tradeType: "EXACT_OUTPUT", txs, txsGasLimit: 50_000 });
      expect(steps[0]?.items[0]?.data).to.include({ gas: "250000" });
    });

    it("is rejected above the maximum gas limit of a transaction", () =>
      expectRefused({ txs: [work(1n)], txsGasLimit: 16_000_001 }, "INVALID_REQUEST", "txsGasLimit"));
  });

  describe("originGasOverhead", () => {
    it("raises the execution fee by the cost of this gas on the origin chain, given as a number or text", async () => {
      const [none, asNumber, asText] = await Promise.all([
        quoteEther(network),
        quoteEther(network, { originGasOverhead: 80_000_000 }),
        quoteEther(network, { originGasOverhead: "80000000" }),
      ]);
      const { maxFeePerGas } = await reader(origin).estimateFeesPerGas();
      const added = executionOf(asNumber) - executionOf(none);
      const expected = (Number(80_000_000n * maxFeePerGas) / 1e18) * 2_500;
      expect(Math.abs(added - expected)).to.be.below(expected / 4);
      expect(Math.abs(executionOf(asText) - executionOf(asNumber))).to.be.below(expected / 4);
    });

    it("rounds a fraction of a unit up", async () => {
      const [part, whole] = [
        await quoteEther(network, { originGasOverhead: 299_999.5 }),
        await quoteEther(network, { originGasOverhead: 300_000 }),
      ];
      expect(Math.abs(executionOf(part) - executionOf(whole))).to.be.below(executionOf(whole) / 20);
    });
  });

  describe("ttl", () => {
    it("refunds a request that is not filled before it expires, long before the order's deadline", async () => {
      const quote = await quoteEther(network, { ttl: 60 });
      network.clock.setOffset(61_000);
      const { status, details } = await depositAndWatch(network, quote);
      expect([status, details?.split(":")[0]]).to.deep.equal(["refund", "TTL_EXPIRED"]);
      expect((await recordOf(network, requestIdOf(quote))).data.failReason).to.equal("TTL_EXPIRED");
    });

    it("fills a request before it expires, even after the usual deadline of an order", async () => {
      expect(await depositAndWatch(network, await quoteEther(network, { ttl: 60 }))).to.include({ status: "success" });
      const long = await quoteEther(network, { ttl: 7_200 });
      network.clock.setOffset(1.5 * HOUR_MS);
      expect(await depositAndWatch(network, long)).to.include({ status: "success" });
    });
  });

  describe("latePaymentSlippageTolerance", () => {
    it("fills a deposit made after the order's deadline, if the extra cost is within the tolerance", async () => {
      const [late, plain] = [
        await quoteEther(network, { latePaymentSlippageTolerance: "10000" }),
        await quoteEther(network),
      ];
      network.clock.setOffset(1.5 * HOUR_MS);
      expect(await depositAndWatch(network, late)).to.include({ status: "success" });
      const { status, details } = await depositAndWatch(network, plain);
      expect([status, details?.split(":")[0]]).to.deep.equal(["refund", "PROTOCOL_DEADLINE_EXPIRED"]);
    });

    it("refunds the deposit if the extra cost exceeds the tolerance", async () => {
      const quote = await quoteEther(network, { txs: [work(200n)], latePaymentSlippageTolerance: "100" });
      network.clock.setOffset(1.5 * HOUR_MS);
      const { status, details } = await depositAndWatch(network, quote);
      expect([status, details?.split(":")[0]]).to.deep.equal(["refund", "PROTOCOL_DEADLINE_EXPIRED"]);
    });

    it("is rejected outside the range from 0 to 10000 bps", async () => {
      for (const latePaymentSlippageTolerance of ["10001", "-1", "1.5"]) {
        await expectRefused(
          { latePaymentSlippageTolerance },
          "INVALID_SLIPPAGE_TOLERANCE",
          "latePaymentSlippageTolerance",
        );
      }
    });
  });

  describe("explicitDeposit: false", () => {
    it("pays tokens with one transfer that contains the order id, without an approval", async () => {
      const before = await dollarsOf(destination, network.accounts.stranger.address);
      const quote = await getQuote(client(), dollars({ explicitDeposit: false }));
      expect(quote.steps.map(({ id }) => id)).to.deep.equal(["deposit"]);
      expect(quote.steps[0]?.items[0]?.data).to.include({ to: origin.contracts.dollar.toLowerCase(), value: "0" });
      const { requestId } = await execute(quote);
      expect(await recordOf(network, requestId)).to.include({ status: "success" });
      const received = (await dollarsOf(destination, network.accounts.stranger.address)) - before;
      expect(received.toString()).to.equal(quote.details.currencyOut.amount);
    });

    it("keeps the depository call for native currency, which needs no approval", async () => {
      const quote = await quoteEther(network, { explicitDeposit: false });
      expect(quote.steps[0]?.items[0]?.data).to.include({ to: origin.contracts.depository });
      expect(await depositAndWatch(network, quote)).to.include({ status: "success" });
    });
  });

  describe("fixedRate", () => {
    const admin = () => ({ "x-admin-key": network.adminKey });
    async function balance(): Promise<bigint> {
      const { body } = await get(network, `/admin/sponsors?apiKey=${network.apiKey}`, admin());
      return BigInt((body as { balance: string }).balance);
    }

    for (const [fixedRate, delivered, fee] of [
      ["1:1", 100_000_000n, "0.000000"],
      ["1:1.0005", 99_950_024n, "0.049976"],
      ["1.01:1", 101_000_000n, "-1.000000"],
    ] as const) {
      it(`delivers the input times ${fixedRate}, and the integrator pays or earns the difference`, async () => {
        const [held, funds] = [await dollarsOf(destination, network.accounts.stranger.address), await balance()];
        const quote = await getQuote(client(), dollars({ fixedRate, subsidizeFees: true }));
        expect(quote.details).to.include({ isFixedRate: true });
        expect(quote.details.fixedRateFee).to.deep.equal({ usd: fee });
        expect(quote.details.currencyOut).to.include({
          amount: delivered.toString(),
          minimumAmount: delivered.toString(),
        });
        expect(quoteFeeTable(quote).mismatches).to.deep.equal([]);
        const { requestId } = await execute(quote);
        expect((await dollarsOf(destination, network.accounts.stranger.address)) - held).to.equal(delivered);
        const record = await recordOf(network, requestId);
        expect(record.features).to.deep.equal(["fixed_rate"]);
        expect(recordFeeTable(record, "actual")?.mismatches).to.deep.equal([]);
        const { sponsoredTotal, userPaysTotal } = record.data.feeSponsorship?.actual ?? expect.fail("no sponsorship");
        expect(Number(userPaysTotal.amountUsd)).to.equal(Number(fee));
        // Sum of all fees and of the delivered value above the market rate.
        const owed = BigInt(Math.round(Number(sponsoredTotal.amountUsd) * 1e6)) + delivered - 100_000_000n;
        expect(owed > 20_000n + delivered - 100_000_000n).to.equal(true);
        expect(Number(funds - (await balance()))).to.be.closeTo(Number(owed), 1);
      });
    }

    it("computes the input for an exact output", async () => {
      const quote = await getQuote(client(), dollars({ fixedRate: "1:2", tradeType: "EXACT_OUTPUT", amount: "50" }));
      expect(quote.details.currencyIn.amount).to.equal("100");
    });

    it("requires a sponsor, a rate and stablecoins that the solver holds, and rejects a cap", async () => {
      const { status, body } = await post(network, "/quote/v2", dollars({ fixedRate: "1:1" }));
      expect(status).to.equal(403);
      expect(body).to.include({ errorCode: "FORBIDDEN", field: "fixedRate" });
      for (const fixedRate of ["1", "0:1", "1:0.0", "1:-1", "a:b"]) {
        await expectRefused({ fixedRate }, "INVALID_REQUEST", "fixedRate");
      }
      await expectRefused({ fixedRate: "1:1", originCurrency: zeroAddress }, "UNSUPPORTED_CURRENCY", "originCurrency");
      const { tether } = destination.contracts;
      await expectRefused(
        { fixedRate: "1:1", destinationCurrency: tether },
        "UNSUPPORTED_CURRENCY",
        "destinationCurrency",
      );
      await expectRefused(
        { fixedRate: "1:1", subsidizeFees: true, maxSubsidizationAmount: "1" },
        "INVALID_REQUEST",
        "maxSubsidizationAmount",
      );
    });
  });

  describe("topupGas", () => {
    const etherOf = (address: Address) => reader(destination).getBalance({ address });
    const TOPUP = parseEther("0.0008");

    for (const [shape, change] of Object.entries({
      "a token": () => ({}),
      "a swapped token": () => ({ destinationCurrency: destination.contracts.tether }),
      calls: () => ({ txs: [work(1n)] }),
    })) {
      it(`delivers native currency in addition to ${shape}`, async () => {
        const recipient = network.accounts.stranger.address;
        const before = await etherOf(recipient);
        const [plain, quote] = [
          await getQuote(client(), dollars(change())),
          await getQuote(client(), dollars({ ...change(), topupGas: true })),
        ];
        expect(quote.details.currencyGasTopup).to.include({ amount: TOPUP.toString(), amountUsd: "2.000000" });
        expect(executionOf(quote) - executionOf(plain)).to.be.within(2, 2.5);
        expect(quoteFeeTable(quote).mismatches.filter(({ differenceUsdE18: by }) => by > 10n ** 13n)).to.deep.equal([]);
        const { requestId } = await execute(quote);
        expect((await etherOf(recipient)) - before).to.equal(TOPUP);
        const record = await recordOf(network, requestId);
        expect(record).to.include({ status: "success" });
        expect(record.features).to.include("gas_top_up");
        expect(record.data.route?.actual.destination?.currencyGasTopup?.amount).to.equal(TOPUP.toString());
        const execution = record.data.fees?.actual?.execution;
        expect(-Number(execution?.usd)).to.be.within(2, 3);
      });
    }

    it("delivers the quoted token and the requested gas", async () => {
      const recipient = network.accounts.stranger.address;
      const before = [await dollarsOf(destination, recipient), await etherOf(recipient)] as const;
      const quote = await getQuote(client(), dollars({ topupGas: true, topupGasAmount: "500000" }));
      await execute(quote);
      const [held, gas] = [await dollarsOf(destination, recipient), await etherOf(recipient)];
      expect((held - before[0]).toString()).to.equal(quote.details.currencyOut.amount);
      expect(gas - before[1]).to.equal(parseEther("0.0002"));
    });

    it("is included in v2 records, and paid for by a sponsor of all fees", async () => {
      const quote = await getQuote(client(), dollars({ topupGas: true, subsidizeFees: true }));
      expect(quote.details.currencyOut.amount).to.equal("100000000");
      const { requestId } = await execute(quote);
      network.clock.set(Date.parse("2026-09-15T00:00:00Z"));
      const { data } = await recordV2Of(network, requestId);
      const { currencyGasTopup } = data.metadata as { currencyGasTopup: { amount: string } };
      expect(currencyGasTopup.amount).to.equal(TOPUP.toString());
      network.clock.reset();
      const { feeSponsorship } = (await recordOf(network, requestId)).data;
      expect(Number(feeSponsorship?.actual?.sponsoredTotal.amountUsd)).to.be.above(2);
    });

    it("is rejected for native output, for another VM family, or without an amount", async () => {
      await expectRefused(
        { topupGas: true, destinationCurrency: zeroAddress },
        "UNSUPPORTED_EXECUTION_TYPE",
        "topupGas",
      );
      for (const topupGasAmount of ["0", "1.5", "-1"]) {
        await expectRefused({ topupGas: true, topupGasAmount }, "INVALID_REQUEST", "topupGasAmount");
      }
    });
  });

  it("cannot exceed the largest amount that a contract can store", async () => {
    const amount = (2n ** 256n - 1n).toString();
    for (const change of [
      { fixedRate: "999999999:0.000000000000000001", amount },
      { fixedRate: "1:999999999", tradeType: "EXACT_OUTPUT", amount },
      { originGasOverhead: 1e300, tradeType: "EXACT_OUTPUT" },
      { originCurrency: zeroAddress, tradeType: "EXACT_OUTPUT", amount },
    ] as const) {
      await expectRefused(change, "INVALID_REQUEST", "amount");
    }
  });

  it("are rejected, naming the field, if the user executes the request", async () => {
    const onOneChain = { destinationChainId: origin.id, destinationCurrency: origin.contracts.tether };
    for (const [field, value] of Object.entries({
      ttl: 60,
      latePaymentSlippageTolerance: "100",
      originGasOverhead: 80_000,
      fixedRate: "1:1",
      topupGas: true,
    })) {
      await expectRefused({ ...onOneChain, [field]: value }, "UNSUPPORTED_EXECUTION_TYPE", field);
    }
  });
});
