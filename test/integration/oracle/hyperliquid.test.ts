import { expect } from "chai";
import { concat, getAddress, type Hex, stringToHex, zeroAddress, zeroHash } from "viem";

import type { ChainConfig } from "../../../packages/oracle/src/chainFiles.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import {
  expectRejection,
  familySuite,
  INTERNAL_ERROR,
  rpcFailures,
  startFamilyOracle,
  TIME,
  tooLittle,
} from "./support/familyOracle.ts";
import { ALICE, BOB, COIN, DOLLAR, HyperliquidExchange, type Sent } from "./support/hyperliquidShapes.ts";
import { jsonRpc, type RecordedServer, startRecordedServer } from "./support/recordedServer.ts";
import { HUB, openHubWorlds } from "./vectors/hubCases.ts";

const CHAIN = "hyperliquid";
const NATIVE = `0x${"0".repeat(32)}`;
const DEPOSITORY: Hex = `0x${"11".repeat(20)}`;
const SECOND = `0x${"a2".repeat(20)}`;
const CAROL: Hex = `0x${"cc".repeat(20)}`;
const ID: Hex = `0x${"c1".repeat(32)}`;
const HOUR = 3_600;
const one = { destination: DEPOSITORY, amount: "1" };

describe("the oracle on Hyperliquid", () => {
  const exchange = new HyperliquidExchange(openHubWorlds());
  const { transactions } = exchange;
  const send = exchange.send.bind(exchange);
  const bind = exchange.bind.bind(exchange);
  let api: RecordedServer;
  let hub: RecordedServer;
  let oracle: Oracle;
  let now = 0;
  const { deposits, expectDeposits, expectNoDeposits, place } = familySuite({
    order: { chainId: CHAIN, currency: NATIVE, recipient: getAddress(BOB) },
    depository: DEPOSITORY,
    encode: (address) => address.toLowerCase() as Hex,
    index: 0,
    deposit(orderId, { inputs: [input] }) {
      const inCoins = input?.payment.currency === COIN ? { token: `COIN:${COIN}`, market: "spot" } : {};
      return sendBound(orderId, { destination: DEPOSITORY, amount: "60", ...inCoins });
    },
    oracle: () => oracle,
  });

  /** Makes a transfer, and maps its nonce to an id on the hub. */
  function sendBound(data: Hex, sent: Sent): string {
    const { hash, nonce } = send(sent);
    bind(nonce, data, { wallet: sent.sender ?? ALICE });
    return hash;
  }

  const chainAt = (httpRpcUrl: string, additionalData: ChainConfig["additionalData"] = {}) => ({
    id: CHAIN,
    vmType: "hyperliquid-vm" as const,
    httpRpcUrl,
    additionalData,
    depository: DEPOSITORY,
    additionalDepositories: [SECOND],
  });
  const start = (chain: ReturnType<typeof chainAt>) =>
    startFamilyOracle({ chain, hubUrl: hub.url, genericMappingAddress: HUB.mapping, now: () => now });

  before(async () => {
    api = await startRecordedServer(exchange.answer);
    hub = await startRecordedServer(jsonRpc((method, params) => exchange.hub.hub.answer(method, params)));
    oracle = await start(chainAt(api.url));
  });
  beforeEach(() => {
    now = (TIME + 2 * HOUR) * 1000;
  });
  after(async () => {
    await oracle.close();
    for (const server of [api, hub]) server.close();
  });

  it("reports deposits of every currency, with the id that the hub maps to the sender's nonce", async () => {
    for (const [sent, currency, amount] of [
      [{ amount: "10.04", token: `USDC:${DOLLAR}`, market: "spot" }, DOLLAR, 1_004_000_000n],
      [{ amount: "5", token: `COIN:${COIN}`, market: "xyz" }, `${COIN}${stringToHex("xyz").slice(2)}`, 500n],
      [{ amount: "98765432109876543.21", token: `COIN:${COIN}`, market: "spot" }, COIN, 9_876_543_210_987_654_321n],
    ] as const) {
      const hash = sendBound(ID, { destination: DEPOSITORY, ...sent });
      await expectDeposits(hash, [{ index: 0, id: ID, depositor: ALICE, currency, amount }]);
    }
  });

  it("credits the account that the mapping names, and reports the depository", async () => {
    const deposit = { index: 0, id: ID, depositor: ALICE, amount: 10n ** 8n, depository: SECOND };
    const upper = { destination: SECOND.toUpperCase().replace("0X", "0x"), amount: "1" };
    await expectDeposits(sendBound(concat([ID, BOB]), upper), [{ ...deposit, depositor: BOB }]);
    await expectDeposits(sendBound(concat([ID, zeroAddress]), { ...one, destination: SECOND }), [deposit]);
  });

  it("waits up to an hour for a mapping, then reports the deposit without an id", async () => {
    const deposit = { index: 0, depositor: ALICE, amount: 10n ** 8n };
    const { hash, nonce } = send(one);
    now = (TIME + HOUR) * 1000 + 789;
    await expectRejection(deposits(hash), `No nonce mapping found for nonce ${nonce} and depositor ${ALICE}`);
    now += 1;
    await expectDeposits(hash, [{ ...deposit, id: zeroHash }]);
    for (const [createdAt, id] of [
      [TIME + HOUR + 1, zeroHash],
      [TIME + HOUR, ID],
    ] as const) {
      const transfer = send(one);
      bind(transfer.nonce, ID, { createdAt });
      await expectDeposits(transfer.hash, [{ ...deposit, id }]);
    }
  });

  it("reports no deposits for other actions, and for transfers between the depository's own markets", async () => {
    const own = { ...one, sender: DEPOSITORY, token: `USDC:${DOLLAR}`, market: "spot" } as const;
    await expectNoDeposits([sendBound(ID, own)]);
    const { hash } = send(one);
    transactions.set(hash, { ...transactions.get(hash), action: { type: "order", orders: [] } });
    await expectNoDeposits([hash]);
  });

  it("rejects tokens without a market, and malformed ids", async () => {
    const coin = send({ ...one, token: `COIN:${COIN}` });
    const unknown = send({ ...one, token: `X:0x${"12".repeat(16)}`, market: "spot" });
    await expectRejection(deposits(coin.hash), "Only USDC is supported as a Perps token");
    await expectRejection(deposits(unknown.hash), "Could not retrieve payment currency decimals");
    await expectRejection(deposits("hash"), 'transactionId "hash" is not hex of whole bytes');
  });

  it("fails if the mapping contains another value", async () => {
    expect(await deposits(sendBound("0x1234", one))).to.deep.equal(INTERNAL_ERROR);
  });

  it("reads a transaction only once, and its mapping repeatedly until it is final", async () => {
    const hash = sendBound(ID, one);
    const first = await deposits(hash);
    const calls = api.calls.length + hub.calls.length;
    expect(await deposits(hash)).to.deep.equal(first);
    expect(api.calls.length + hub.calls.length).to.equal(calls);
  });

  describe("for a solver", () => {
    const amount = "4000000000";
    const inCoins = { token: `COIN:${COIN}`, market: "spot" };
    const settle = (orderId: Hex, sent: Partial<Sent> = {}): string =>
      sendBound(orderId, { destination: BOB, amount: "40", sender: CAROL, ...sent });

    it("reports fills made with the newer action, in another currency, and from the solver's ledger", async () => {
      const native = await place({ amount });
      expect((await native.fill(settle(native.orderId, { token: `USDC:${DOLLAR}` }))).status).to.equal(200);
      const coins = await place({ currency: COIN, amount: "4000" });
      expect((await coins.fill(settle(coins.orderId, inCoins))).status).to.equal(200);

      const time = TIME * 1000 + 789;
      const byLedger = await place({ currency: COIN, amount: "4000" });
      const hash = settle(byLedger.orderId, inCoins);
      transactions.delete(hash);
      const moved = { user: CAROL, destination: BOB, sourceDex: "spot", destinationDex: "spot", token: "COIN" };
      const costs = { usdcValue: "40", fee: "0", nativeTokenFee: "0", feeToken: "" };
      const delta = { type: "send", ...moved, amount: "40", nonce: exchange.nonce, ...costs };
      exchange.ledgers.set(`${CAROL} at ${time}`, [{ time, hash, delta }]);
      const hintsOf = (user: Hex) => ({ hints: { "hyperliquid-vm": { user, timestamp: time } } });
      await expectRejection(byLedger.fill(hash, hintsOf(BOB)), `Missing or reverted transaction ${hash}`);
      expect((await byLedger.fill(hash, hintsOf(CAROL))).status).to.equal(200);
    });

    it("rejects the deposit of an order without payments as its fill", async () => {
      const { orderId, fill } = await place({}, (order) => ({ ...order, output: { ...order.output, payments: [] } }));
      const deposit = settle(orderId, { destination: DEPOSITORY });
      const message =
        `Ambiguous transaction ${deposit} to ${DEPOSITORY}: it could be a deposit into that depository ` +
        "or a payment of an order, and counts once";
      await expectRejection(fill(deposit), message);
      expect((await fill(settle(orderId))).status).to.equal(200);
    });

    it("rejects fills with the wrong amount, recipient, currency, order or time, and failed fills", async () => {
      const { orderId, expectUnfilled } = await place({ amount });
      const unbound = send({ destination: BOB, amount: "40", sender: CAROL });
      const foreign = settle(ID);
      const mismatch = (nonce: number) => `Nonce mapping mismatch for nonce ${nonce} and sender ${CAROL}`;
      const action = settle(orderId);
      transactions.set(action, { ...transactions.get(action), action: { type: "order" } });
      await expectUnfilled([
        [settle(orderId, { amount: "39.99999999" }), tooLittle(3_999_999_999, 4_000_000_000)],
        [settle(orderId, { destination: ALICE }), "Could not detect payment"],
        [settle(orderId, { token: `USDC:${DOLLAR}`, market: "spot" }), "Could not detect payment"],
        [settle(orderId, { token: `COIN:${COIN}` }), "Could not detect payment"],
        [action, "Could not detect payment"],
        [unbound.hash, mismatch(unbound.nonce)],
        [foreign, mismatch(unbound.nonce + 1)],
        [settle(orderId, { time: 2_000_000_001 }), "Transaction {tx} executed after deadline"],
        [settle(orderId, { error: "no" }), "Missing or reverted transaction {tx}"],
        [`0x${"ee".repeat(32)}`, "Missing or reverted transaction {tx}"],
      ]);
    });
  });

  describe("with unreliable hosts", () => {
    it("falls back to the proxy if the explorer limits requests", async () => {
      const proxy = await startRecordedServer(exchange.answer);
      await using limited = await start(chainAt(api.url, { proxyApiUrl: `${proxy.url}/asks`, proxyApiKey: "key" }));
      const hash = sendBound(ID, one);
      api.answer((call) =>
        call.path === "/explorer"
          ? { status: 429, body: "More than 100 archived blocks queried in one day" }
          : exchange.answer(call),
      );
      expect((await deposits(hash, limited)).status).to.equal(200);
      expect(await deposits(hash)).to.deep.equal(INTERNAL_ERROR);
      api.answer();
      const [call] = proxy.calls;
      expect([call?.path, call?.headers["x-nft-api-key"], call?.headers.url]).to.deep.equal([
        "/asks",
        "key",
        `${api.url}/explorer`,
      ]);
      expect(await rpcFailures(limited)).to.have.length(1);
      proxy.close();
    });

    it("rejects responses about another transaction, and attests nothing that only one host reports", async () => {
      const [foreign, disputed] = [send(one), send(one)];
      const shape = transactions.get(disputed.hash)!;
      transactions.set(foreign.hash, shape);
      expect(await deposits(foreign.hash)).to.deep.equal(INTERNAL_ERROR);
      const liar = await startRecordedServer(() => ({ body: { type: "txDetails", tx: { ...shape, user: BOB } } }));
      await using agreeing = await start(chainAt(api.url, { rpcUrls: [liar.url], rpcAgreement: 2 }));
      expect(await deposits(disputed.hash, agreeing)).to.deep.equal(INTERNAL_ERROR);
      expect(await rpcFailures(agreeing)).to.have.length(2);
      liar.close();
    });

    it("fails if the exchange or the hub is down, or if the hub has no mapping contract", async () => {
      const { hash } = send(one);
      await using alone = await start(chainAt("http://127.0.0.1:1"));
      const chain = chainAt(api.url);
      await using without = await startFamilyOracle({ chain, genericMappingAddress: HUB.mapping });
      await using unnamed = await startFamilyOracle({ chain, hubUrl: hub.url });
      for (const failing of [alone, without, unnamed]) {
        expect(await deposits(hash, failing)).to.deep.equal(INTERNAL_ERROR);
      }
    });
  });
});
