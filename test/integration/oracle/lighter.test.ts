import { expect } from "chai";
import { type Hex, toHex, zeroHash } from "viem";

import type { ChainConfig } from "../../../packages/oracle/src/chainFiles.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import {
  expectRejection,
  familySuite,
  INTERNAL_ERROR,
  rpcFailures,
  SOLVER_CHAIN,
  startFamilyOracle,
  tooLittle,
} from "./support/familyOracle.ts";
import {
  respondExchange,
  COMMITTED,
  ETHER,
  FAILED,
  LighterExchange,
  PERPETUALS,
  type Sent,
  SPOT,
  WAITING,
  WITHDRAWAL,
} from "./support/lighterShapes.ts";
import { type RecordedServer, startRecordedServer } from "./support/recordedServer.ts";

const CHAIN = "lighter";
const [DEPOSITORY, SECOND] = ["460491", "460492"];
const [ALICE, BOB, CAROL] = [1001, 462_196, 3003];
const ID: Hex = `0x${"c1".repeat(32)}`;
const five = { to: DEPOSITORY, amount: 5, memo: ID };
const deposit = { index: 0, id: ID, depositor: `${ALICE}`, amount: 5n };

describe("the oracle on Lighter", () => {
  const exchange = new LighterExchange();
  const { transactions } = exchange;
  const send = exchange.send.bind(exchange);
  let api: RecordedServer;
  let oracle: Oracle;
  const { deposits, expectDeposits, expectNoDeposits, place } = familySuite({
    order: { chainId: CHAIN, currency: "0", recipient: `${BOB}` },
    depository: DEPOSITORY,
    encode: (address) => toHex(BigInt(address), { size: 16 }),
    index: 0,
    deposit: (orderId) => send({ to: DEPOSITORY, amount: 60, memo: orderId }),
    oracle: () => oracle,
  });

  const chainAt = (httpRpcUrl: string, additionalData: ChainConfig["additionalData"] = {}) => ({
    id: CHAIN,
    vmType: "lighter-vm" as const,
    httpRpcUrl,
    additionalData,
    depository: DEPOSITORY,
    additionalDepositories: [SECOND],
  });

  before(async () => {
    api = await startRecordedServer(respondExchange(transactions));
    oracle = await startFamilyOracle({ chain: chainAt(api.url) });
  });
  after(async () => {
    await oracle.close();
    api.close();
  });

  it("reports deposits of every asset, with the ids in their memos", async () => {
    for (const [sent, expected] of [
      [{ status: COMMITTED }, {}],
      [{ route: SPOT }, { currency: "3" }],
      [{ asset: ETHER, route: SPOT }, { currency: "1" }],
      // Assets other than dollars are credited too, so that they can be returned.
      [{ asset: 77, route: PERPETUALS }, { currency: "77" }],
      [{ to: SECOND }, { depository: SECOND }],
    ] as const) {
      await expectDeposits(send({ ...five, ...sent }), [{ ...deposit, ...expected }]);
    }
  });

  it("lists the chain", async () => {
    expect(await (await fetch(`${oracle.url}/chains/v1`)).json()).to.deep.equal({
      chains: [
        { id: CHAIN, vmType: "lighter-vm", depository: DEPOSITORY },
        { id: SOLVER_CHAIN, vmType: "ethereum-vm" },
      ],
    });
  });

  it("ignores memos that are not ids", async () => {
    const address = [...new Array<number>(20).fill(7), ...new Array<number>(12).fill(0)];
    for (const memo of [[], [116, 120], new Array<number>(31).fill(7), address]) {
      await expectDeposits(send({ ...five, memo }), [{ ...deposit, id: zeroHash }]);
    }
    const almost = toHex(Uint8Array.from([...address.slice(0, 31), 1]));
    await expectDeposits(send({ ...five, memo: almost }), [{ ...deposit, id: almost }]);
  });

  it("reports no deposits for transfers to other accounts or to oneself, and for other transaction types", async () => {
    await expectNoDeposits([
      send({ ...five, to: BOB }),
      send({ ...five, from: Number(DEPOSITORY) }),
      send({ ...five, type: WITHDRAWAL }),
      send({ ...five, change: { info: "" } }),
    ]);
  });

  it("rejects pending and failed transactions, and ids in another format", async () => {
    for (const status of [FAILED, WAITING, 9]) {
      const hash = send({ ...five, status });
      await expectRejection(deposits(hash), `Missing or reverted transaction ${hash}`);
    }
    const timeless = send({ ...five, change: { queued_at: 0 } });
    await expectRejection(deposits(timeless), `Missing queued_at for transaction ${timeless}`);
    await expectRejection(deposits("0x12"), 'transactionId "0x0x12" is not hex without 0x');
  });

  it("reads an executed transaction only once", async () => {
    const hash = send(five);
    const first = await deposits(hash);
    const calls = api.calls.length;
    expect(await deposits(hash)).to.deep.equal(first);
    expect(api.calls).to.have.length(calls);
  });

  describe("for a solver", () => {
    const settle = (orderId: Hex, sent: Partial<Sent> = {}) =>
      send({ from: CAROL, to: BOB, amount: 40, memo: orderId, ...sent });

    it("reports a fill in each currency that orders can have", async () => {
      for (const [currency, sent] of [
        ["3", { route: SPOT }],
        ["1", { asset: ETHER, route: SPOT }],
      ] as const) {
        const { orderId, fill } = await place({}, (order) => ({
          ...order,
          output: { ...order.output, payments: order.output.payments.map((payment) => ({ ...payment, currency })) },
        }));
        expect((await fill(settle(orderId, sent))).status).to.equal(200);
      }
    });

    it("rejects the deposit of an order without payments as its fill", async () => {
      const { orderId, fill } = await place({}, (order) => ({ ...order, output: { ...order.output, payments: [] } }));
      const deposit = settle(orderId, { to: DEPOSITORY });
      const message =
        `Ambiguous transaction ${deposit} to ${DEPOSITORY}: it could be a deposit into that depository ` +
        "or a payment of an order, and counts once";
      await expectRejection(fill(deposit), message);
      expect((await fill(settle(orderId))).status).to.equal(200);
    });

    it("rejects fills with the wrong amount, recipient, currency, order or time, and failed fills", async () => {
      const { orderId, expectUnfilled } = await place();
      const noPayment = "Could not detect payment";
      await expectUnfilled([
        [settle(orderId, { amount: 39 }), tooLittle(39)],
        [settle(orderId, { to: ALICE }), noPayment],
        [settle(orderId, { route: SPOT }), noPayment],
        [settle(orderId, { route: 2 }), noPayment],
        [settle(orderId, { asset: ETHER }), noPayment],
        [settle(orderId, { asset: 77, route: SPOT }), noPayment],
        [settle(orderId, { type: WITHDRAWAL }), noPayment],
        [settle(ID), "Transaction {tx} does not reference order id"],
        [settle(orderId, { time: 2_000_000_001 }), "Transaction {tx} executed after deadline"],
        [settle(orderId, { change: { queued_at: 0 } }), "Missing or reverted transaction {tx}"],
        [settle(orderId, { status: FAILED }), "Missing or reverted transaction {tx}"],
        ["ee".repeat(40), `Missing transaction {tx} on chain ${CHAIN}`],
      ]);
    });
  });

  describe("with unreliable hosts", () => {
    it("falls back to the next host, with that host's key, if one is down", async () => {
      const hash = send(five);
      await using both = await startFamilyOracle({
        chain: chainAt("http://127.0.0.1:1", { rpcUrls: [api.url], rpcApiKey: "key" }),
      });
      expect((await deposits(hash, both)).status).to.equal(200);
      expect(api.calls.at(-1)?.headers["x-api-key"]).to.equal("key");
      expect(await rpcFailures(both)).to.have.length(1);
      await using alone = await startFamilyOracle({ chain: chainAt("http://127.0.0.1:1") });
      expect(await deposits(hash, alone)).to.deep.equal(INTERNAL_ERROR);
    });

    it("rejects a response about another transaction, and a transaction that is not a transfer", async () => {
      const [foreign, odd, endless] = [send(five), send(five), send(five)];
      transactions.set(foreign, transactions.get(odd)!);
      transactions.set(odd, { ...transactions.get(odd), info: "{" });
      // A number that JSON cannot represent exactly.
      transactions.set(endless, { ...transactions.get(endless), info: JSON.stringify({ Amount: 2 ** 60 }) });
      for (const hash of [foreign, odd, endless]) expect(await deposits(hash)).to.deep.equal(INTERNAL_ERROR);
    });

    it("attests nothing that only one host reports", async () => {
      const hash = send(five);
      const shape = transactions.get(hash) as { readonly info: string };
      const lie = { ...shape, info: shape.info.replace('"Amount":5', '"Amount":5000000') };
      const liar = await startRecordedServer(() => ({ body: lie }));
      await using agreeing = await startFamilyOracle({
        chain: chainAt(api.url, { rpcUrls: [liar.url], rpcAgreement: 2 }),
      });
      expect(await deposits(hash, agreeing)).to.deep.equal(INTERNAL_ERROR);
      expect(await rpcFailures(agreeing)).to.have.length(2);
      liar.close();
    });
  });
});
