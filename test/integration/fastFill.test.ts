import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { type Address, encodeFunctionData, type Hex, parseEther, zeroAddress } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";

import { createServiceClient } from "../../packages/sdk/src/index.ts";
import type { Quote, RequestRecord } from "../../packages/protocol/src/complete.ts";
import type { QuoteRequest } from "../../packages/protocol/src/index.ts";
import { localnet } from "../../packages/crosscall/src/localnet/index.ts";
import { listOpenFastFills } from "../../packages/crosscall/src/localnet/store/fastFills.ts";
import { openStore } from "../../packages/crosscall/src/localnet/store/store.ts";
import { getQuote } from "../support/complete.ts";
import { until } from "../support/until.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";
import { dollarsOf, userWallet } from "./support/parties.ts";
import {
  etherRequest,
  depositNative,
  onNode,
  orderIdOf,
  quoteEther,
  requestIdOf,
  watchToEnd,
} from "./support/requests.ts";
import { startAnvil, stopPrograms } from "./support/processes.ts";
import { type Answer, get, post, recordOf } from "./support/serviceCalls.ts";
import { depositoryAbi } from "../../packages/protocol/src/abi/service.generated.ts";

const TIMEOUT_MS = 10_000_000;
/** Code for an account that rejects payments. */
const REVERTING_CODE = "0x60006000fd";
const QUEUED = { message: "Request successfully queued for fast fill." };

describe("fast fill", () => {
  const network = useNetwork({
    chains: [{ id: 31_337, depositConfirmations: 3 }, { id: 31_338 }],
    apiKeys: ["sponsor", "guest"],
    sponsoringApiKeys: ["sponsor"],
    depositTimeoutMs: TIMEOUT_MS,
  });
  const [origin, destination] = chainsOf(network);

  beforeEach(() => setBalance(3_000n));
  afterEach(async () => {
    network.clock.reset();
    await onNode(destination, "evm_setAutomine", true);
    await network.scenarios.clear();
  });

  const admin = () => ({ "x-admin-key": network.adminKey });
  /** Sets the sponsor's balance, in whole US dollars. */
  const setBalance = (balance: bigint) =>
    post(network, "/admin/sponsors", { apiKey: "sponsor", balance: `${balance}000000` }, admin());
  /** In US dollars. */
  async function balance(): Promise<number> {
    const { body } = await get(network, "/admin/sponsors?apiKey=sponsor", admin());
    return Number((body as { balance: string }).balance) / 1e6;
  }
  /** Requests a quote that sells one ether, worth 2,500 US dollars, and pays dollars to the stranger. */
  const quoteOne = (change: Partial<QuoteRequest> = {}): Promise<Quote> =>
    getQuote(createServiceClient({ baseUrl: network.url, apiKey: "sponsor" }), {
      ...etherRequest(network),
      recipient: network.accounts.stranger.address,
      ...change,
    });
  const fastFill = (requestId: string, fields: object = {}, apiKey = "sponsor"): Promise<Answer> =>
    post(network, "/fast-fill", { requestId, ...fields }, apiKey === "" ? {} : { "x-api-key": apiKey });
  const held = () => dollarsOf(destination, network.accounts.stranger.address);
  const confirm = () => onNode(origin, "hardhat_mine", "0x3");
  const untilRecord = (quote: Quote, isMet: (record: RequestRecord) => boolean): Promise<RequestRecord> =>
    until(async () => {
      const record = await recordOf(network, requestIdOf(quote));
      return isMet(record) && record;
    });
  const hasDeposit = ({ data }: RequestRecord) => data.inTxs.length === 1;

  it("delivers before the deposit exists, and does not fill again when the deposit arrives", async () => {
    const before = await held();
    const quote = await quoteOne();
    expect(await fastFill(requestIdOf(quote))).to.deep.equal({ status: 200, body: QUEUED });
    expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
    expect(((await held()) - before).toString()).to.equal(quote.details.currencyOut.amount);
    const filled = await recordOf(network, requestIdOf(quote));
    expect(filled.features).to.deep.equal(["fast_fill"]);
    expect(filled.data).to.include({ triggeredByFastFill: true, failReason: null });
    expect([filled.data.inTxs.length, filled.data.outTxs.length]).to.deep.equal([0, 1]);
    expect(await fastFill(requestIdOf(quote))).to.deep.equal({ status: 200, body: QUEUED });

    await depositNative(network, { id: orderIdOf(quote) });
    await confirm();
    const paid = await untilRecord(quote, hasDeposit);
    expect([paid.status, paid.data.failReason, paid.data.outTxs.length]).to.deep.equal(["success", null, 1]);
    expect(paid.protocol?.deposit?.origin?.amount).to.equal(parseEther("1").toString());
    expect(((await held()) - before).toString()).to.equal(quote.details.currencyOut.amount);
    expect(await balance()).to.equal(3_000);
  });

  it("fills before the deposit is confirmed", async () => {
    const quote = await quoteOne();
    await depositNative(network, { id: orderIdOf(quote) });
    await untilRecord(quote, ({ status }) => status === "depositing");
    await fastFill(requestIdOf(quote));
    expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
    await confirm();
    const { data } = await untilRecord(quote, hasDeposit);
    expect(data.outTxs).to.have.length(1);
  });

  it("holds its value of the sponsor's balance until the deposit arrives", async () => {
    const [first, second] = [await quoteOne(), await quoteOne()];
    await fastFill(requestIdOf(first));
    await watchToEnd(network, requestIdOf(first));
    const refusal = { message: "Forbidden: Fast fill requires a sponsoring wallet with app balance." };
    expect(await fastFill(requestIdOf(second))).to.deep.equal({ status: 403, body: refusal });
    // A hold is not a debit, so sponsorship can still use the balance.
    expect(await balance()).to.equal(3_000);
    await depositNative(network, { id: orderIdOf(first) });
    await confirm();
    await untilRecord(first, hasDeposit);
    expect(await fastFill(requestIdOf(second))).to.include({ status: 200 });
    await depositNative(network, { id: orderIdOf(second) });
    await confirm();
    await untilRecord(second, hasDeposit);
  });

  it("becomes a debit if the deposit is late, until the deposit arrives", async () => {
    const quote = await quoteOne();
    await fastFill(requestIdOf(quote));
    await watchToEnd(network, requestIdOf(quote));
    network.clock.setOffset(TIMEOUT_MS + 1_000);
    const worth = Number(quote.details.currencyOut.amountUsd);
    const left = await until(async () => {
      const present = await balance();
      return present < 3_000 && present;
    });
    expect(Math.abs(left - (3_000 - worth))).to.be.below(0.000_01);
    await depositNative(network, { id: orderIdOf(quote) });
    await confirm();
    await untilRecord(quote, hasDeposit);
    expect(await balance()).to.equal(3_000);
  });

  it("debits the difference if the deposit is smaller", async () => {
    const quote = await quoteOne();
    await fastFill(requestIdOf(quote));
    await watchToEnd(network, requestIdOf(quote));
    await depositNative(network, { id: orderIdOf(quote), value: parseEther("0.75") });
    await confirm();
    await untilRecord(quote, hasDeposit);
    const debited = Number(quote.details.currencyOut.amountUsd) / 4;
    expect(Math.abs((await balance()) - (3_000 - debited))).to.be.below(0.001);
  });

  it("remains valid if a reorg removes its deposit, and holds the value again until the deposit returns", async () => {
    const before = await held();
    const quote = await quoteOne();
    await fastFill(requestIdOf(quote));
    await watchToEnd(network, requestIdOf(quote));
    const raw = await signDeposit(quote);
    const snapshot = await onNode(origin, "evm_snapshot");
    await onNode(origin, "eth_sendRawTransaction", raw);
    await confirm();
    await untilRecord(quote, hasDeposit);
    await onNode(origin, "evm_revert", snapshot);
    await onNode(origin, "hardhat_mine", "0x6");
    const lost = await untilRecord(quote, ({ data }) => data.failReason === "DEPOSIT_REORGED");
    expect([lost.status, lost.data.inTxs.length, lost.data.outTxs.length]).to.deep.equal(["success", 0, 1]);
    expect(await fastFill(requestIdOf(await quoteOne()))).to.include({ status: 403 });

    await onNode(origin, "eth_sendRawTransaction", raw);
    await confirm();
    await untilRecord(quote, (record) => hasDeposit(record) && record.data.failReason === null);
    expect(((await held()) - before).toString()).to.equal(quote.details.currencyOut.amount);
  });

  it("debits the full value once if a reorg removes a smaller deposit permanently", async () => {
    const quote = await quoteOne();
    await fastFill(requestIdOf(quote));
    await watchToEnd(network, requestIdOf(quote));
    const snapshot = await onNode(origin, "evm_snapshot");
    await depositNative(network, { id: orderIdOf(quote), value: parseEther("0.75") });
    await confirm();
    await untilRecord(quote, hasDeposit);
    await onNode(origin, "evm_revert", snapshot);
    await onNode(origin, "hardhat_mine", "0x6");
    await untilRecord(quote, ({ data }) => data.failReason === "DEPOSIT_REORGED");
    await until(async () => (await balance()) === 3_000);
    network.clock.setOffset(TIMEOUT_MS + 1_000);
    const left = await until(async () => {
      const present = await balance();
      return present < 3_000 && present;
    });
    expect(Math.abs(left - 3_000 + Number(quote.details.currencyOut.amountUsd)) < 0.000_01, `${left}`).to.equal(true);
  });

  it("debits nothing, and refunds the deposit, if the fill fails after a reorg", async () => {
    const recipient = freshRecipient();
    const quote = await quoteOne({ destinationCurrency: zeroAddress, recipient });
    const snapshot = await onNode(destination, "evm_snapshot");
    await fastFill(requestIdOf(quote));
    await watchToEnd(network, requestIdOf(quote));
    await depositNative(network, { id: orderIdOf(quote), value: parseEther("0.75") });
    await confirm();
    await untilRecord(quote, hasDeposit);
    expect(await balance()).to.be.below(3_000);
    await onNode(destination, "evm_setAutomine", false);
    await onNode(destination, "evm_revert", snapshot);
    await onNode(destination, "hardhat_setCode", recipient, REVERTING_CODE);
    await onNode(destination, "evm_setAutomine", true);
    await onNode(destination, "hardhat_mine", "0x3");
    const refunded = await untilRecord(quote, ({ status }) => status === "refund");
    expect(refunded.data.outTxs.map((entry) => entry.status)).to.deep.equal(["failure", "success"]);
    expect(await balance()).to.equal(3_000);
  });

  it("is paid for by the deposit if its failed fill succeeds after a reorg", async () => {
    const recipient = freshRecipient();
    const quote = await quoteOne({ destinationCurrency: zeroAddress, recipient });
    await onNode(destination, "evm_setAutomine", false);
    await fastFill(requestIdOf(quote));
    await untilRecord(quote, ({ status }) => status === "submitted");
    const snapshot = await onNode(destination, "evm_snapshot");
    await onNode(destination, "hardhat_setCode", recipient, REVERTING_CODE);
    await onNode(destination, "evm_mine");
    await untilRecord(quote, ({ status }) => status === "waiting");
    await onNode(destination, "evm_revert", snapshot);
    await onNode(destination, "evm_setAutomine", true);
    await onNode(destination, "hardhat_mine", "0x3");
    await untilRecord(quote, ({ status }) => status === "success");
    // The service holds the value again.
    expect(await fastFill(requestIdOf(await quoteOne()))).to.include({ status: 403 });
    await depositNative(network, { id: orderIdOf(quote) });
    await confirm();
    const { status, data } = await untilRecord(quote, hasDeposit);
    expect([status, data.failReason, data.outTxs.length]).to.deep.equal(["success", null, 1]);
    expect(await balance()).to.equal(3_000);
  });

  it("waits for the deposit if a fill is impossible, and fills afterwards", async () => {
    const before = await held();
    const quote = await quoteOne({ ttl: 60 });
    network.clock.setOffset(61_000);
    expect(await fastFill(requestIdOf(quote))).to.include({ status: 200 });
    // The second request is rejected for its amount, but only after the first request has ended.
    await until(async () => (await fastFill(requestIdOf(quote), { maxFillAmountUsd: 100 })).status === 400);
    const waiting = await recordOf(network, requestIdOf(quote));
    expect([waiting.status, waiting.data.outTxs.length]).to.deep.equal(["waiting", 0]);
    expect(await held()).to.equal(before);
    network.clock.reset();
    expect((await watchAfterDeposit(quote)).status).to.equal("success");
    const { features, data } = await recordOf(network, requestIdOf(quote));
    expect([features, data.outTxs.length]).to.deep.equal([[], 1]);
  });

  it("refunds the deposit if the fill reverts in its block", async () => {
    await network.scenarios.set("TRANSACTION_REVERTED", { next: 1 });
    const quote = await quoteOne({ refundTo: network.accounts.user.address });
    await fastFill(requestIdOf(quote));
    const failed = await untilRecord(quote, ({ data }) => data.failReason !== null);
    expect([failed.status, failed.data.failReason]).to.deep.equal(["waiting", "TRANSACTION_REVERTED"]);
    const { status } = await watchAfterDeposit(quote);
    expect(status).to.equal("refund");
    const { data } = await recordOf(network, requestIdOf(quote));
    expect(data.outTxs.map((entry) => entry.status)).to.deep.equal(["failure", "success"]);
    // No value is held for the failed fill.
    const next = await quoteOne();
    expect(await fastFill(requestIdOf(next), { maxFillAmountUsd: 3_000 })).to.include({ status: 200 });
    expect((await watchAfterDeposit(next)).status).to.equal("success");
    await untilRecord(next, hasDeposit);
  });

  it("delivers more if the caller expects a larger deposit", async () => {
    const before = await held();
    const quote = await quoteOne();
    const solverInputCurrencyAmount = parseEther("1.1").toString();
    await fastFill(requestIdOf(quote), { solverInputCurrencyAmount });
    await watchToEnd(network, requestIdOf(quote));
    expect((await held()) - before).to.equal((BigInt(quote.details.currencyOut.amount) * 11n) / 10n);
    await depositNative(network, { id: orderIdOf(quote), value: parseEther("1.1") });
    await confirm();
    await untilRecord(quote, hasDeposit);
    expect(await balance()).to.equal(3_000);
  });

  it("is rejected with the documented status and message", async () => {
    const quote = await quoteOne();
    const id = requestIdOf(quote);
    const done = await quoteOne();
    await depositNative(network, { id: orderIdOf(done) });
    await confirm();
    await watchToEnd(network, requestIdOf(done));
    const onOneChain = await quoteOne({ destinationChainId: origin.id, destinationCurrency: origin.contracts.dollar });
    const toAddress = await quoteOne({ useDepositAddress: true });
    const noBalance = "Forbidden: Fast fill requires a sponsoring wallet with app balance.";
    for (const [answer, status, message] of [
      [fastFill(id, {}, ""), 401, "Unauthorized: Check API Key"],
      [fastFill(id, {}, "guest"), 403, noBalance],
      [fastFill(`0x${"ab".repeat(32)}`), 404, "Request not found"],
      [fastFill(requestIdOf(done)), 409, "Conflict: This request is already being processed."],
      [fastFill(id, { maxFillAmountUsd: 100 }), 400, "The fill is worth more than maxFillAmountUsd."],
      [fastFill(id, { maxFillAmountUsd: 3_001 }), 400, "maxFillAmountUsd exceeds the available balance."],
      [fastFill(id, { solverInputCurrencyAmount: "1" }), 400, undefined],
      [fastFill(id, { maxFillAmountUsd: 1e308 }), 400, undefined],
      [fastFill(requestIdOf(onOneChain)), 400, undefined],
      [fastFill(requestIdOf(toAddress)), 400, undefined],
    ] as const) {
      const { status: seen, body } = await answer;
      expect(seen, JSON.stringify(body)).to.equal(status);
      if (message !== undefined) expect(body).to.deep.equal({ message });
    }
    expect(await fastFill("", { solverInputCurrencyAmount: 1 })).to.include({ status: 404 });
    expect((await post(network, "/fast-fill", {}, { "x-api-key": "sponsor" })).status).to.equal(400);
    await setBalance(1_000n);
    expect(await fastFill(id)).to.deep.equal({ status: 403, body: { message: noBalance } });
    expect((await recordOf(network, id)).status).to.equal("waiting");
  });

  function freshRecipient(): Address {
    return privateKeyToAddress(generatePrivateKey());
  }

  async function watchAfterDeposit(quote: Quote) {
    await depositNative(network, { id: orderIdOf(quote) });
    await confirm();
    return watchToEnd(network, requestIdOf(quote));
  }

  async function signDeposit(quote: Quote): Promise<Hex> {
    const wallet = userWallet(network, origin);
    const args = [network.accounts.user.address, orderIdOf(quote)] as const;
    const request = await wallet.prepareTransactionRequest({
      to: origin.contracts.depository,
      data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args }),
      value: parseEther("1"),
    });
    return wallet.signTransaction(request);
  }
});

describe("a queued fast fill", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-fast-fill-"));
  });
  after(async () => {
    await stopPrograms();
    await rm(folder, { recursive: true, force: true });
  });

  const sponsored = { sponsoringApiKeys: ["crosscall-local"], sponsorBalanceUsd: 5_000, oracle: false };

  it("ends if the deposit arrives first, and the deposit is filled normally", async () => {
    const databaseFolder = join(folder, "deposit");
    const network = await localnet({ keepsRetired: true, ...sponsored, databaseFolder });
    await network.scenarios.set("stuck", { next: 1 });
    const quote = await quoteEther(network);
    const queue = { "x-api-key": network.apiKey };
    expect(await post(network, "/fast-fill", { requestId: requestIdOf(quote) }, queue)).to.include({ status: 200 });
    await depositNative(network, { id: orderIdOf(quote) });
    await until(async () => (await recordOf(network, requestIdOf(quote))).status === "pending");
    await network.scenarios.clear();
    expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
    expect((await recordOf(network, requestIdOf(quote))).features).to.deep.equal([]);
    await network.close();
    const store = await openStore({ folder: databaseFolder, onError: (error) => expect.fail(error.message) });
    expect(await listOpenFastFills(store.db)).to.deep.equal([]);
    await store.close();
  });

  it("is filled once after the network stops and restarts", async () => {
    const nodes = await Promise.all([31_337, 31_338].map((id) => startAnvil(id)));
    const start = () =>
      localnet({
        keepsRetired: true,
        ...sponsored,
        chains: [
          { id: 31_337, rpcUrl: nodes[0]!.ready, depositConfirmations: 3 },
          { id: 31_338, rpcUrl: nodes[1]!.ready },
        ],
        databaseFolder: join(folder, "restart"),
      });
    const first = await start();
    await first.scenarios.set("stuck", { next: 1 });
    const quote = await quoteEther(first, { recipient: first.accounts.stranger.address });
    const queue = { "x-api-key": first.apiKey };
    expect(await post(first, "/fast-fill", { requestId: requestIdOf(quote) }, queue)).to.include({ status: 200 });
    await first.close();

    await using second = await start();
    const [origin, destination] = second.chains;
    const heldBefore = await dollarsOf(destination, second.accounts.stranger.address);
    expect((await recordOf(second, requestIdOf(quote))).status).to.equal("waiting");
    await second.scenarios.clear();
    expect((await watchToEnd(second, requestIdOf(quote))).status).to.equal("success");
    await depositNative(second, { id: orderIdOf(quote) });
    await onNode(origin, "anvil_mine", "0x3");
    const { data } = await until(async () => {
      const record = await recordOf(second, requestIdOf(quote));
      return record.data.inTxs.length === 1 && record;
    });
    expect(data.outTxs).to.have.length(1);
    const received = (await dollarsOf(destination, second.accounts.stranger.address)) - heldBefore;
    expect(received.toString()).to.equal(quote.details.currencyOut.amount);
  });
});
