import { expect } from "chai";
import { type Hex, hexToBytes, toHex, zeroHash } from "viem";

import type { ChainConfig } from "../../../packages/oracle/src/chainFiles.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import {
  expectRefused,
  type FamilyOrder,
  familyOrder,
  familyOrderId,
  familyRoutes,
  INTERNAL_ERROR,
  rpcFailures,
  SOLVER_CHAIN,
  solver,
  startFamilyOracle,
} from "./support/familyOracle.ts";
import {
  answerExchange,
  COMMITTED,
  ETHER,
  DOLLAR,
  EXECUTED,
  FAILED,
  PERPETUALS,
  SPOT,
  TRANSFER,
  transactionShape,
  WAITING,
  WITHDRAWAL,
} from "./support/lighterShapes.ts";
import { type RecordedServer, startRecordedServer } from "./support/recordedServer.ts";
import { aliasOf, creditedOf, expectExecution, idOf, mintOf, tokenOf, transferOf } from "./support/vectors.ts";

const CHAIN = "lighter";
const [DEPOSITORY, SECOND] = ["460491", "460492"];
const [ALICE, BOB, CAROL] = [1001, 462196, 3003];
const TIME = 1_790_000_000;
const ID: Hex = `0x${"c1".repeat(32)}`;
const encode = (index: string): Hex => toHex(BigInt(index), { size: 16 });

describe("the oracle on the second exchange", () => {
  const transactions = new Map<string, object>();
  let exchange: RecordedServer;
  let oracle: Oracle;
  let count = 0;
  const { deposits, fill, refund } = familyRoutes(() => oracle, CHAIN);

  const chainAt = (httpRpcUrl: string, additionalData: ChainConfig["additionalData"] = {}) => ({
    id: CHAIN,
    vmType: "lighter-vm" as const,
    httpRpcUrl,
    additionalData,
    depository: DEPOSITORY,
    additionalDepositories: [SECOND],
  });

  before(async () => {
    exchange = await startRecordedServer(answerExchange(transactions));
    oracle = await startFamilyOracle({ chain: chainAt(exchange.url) });
  });
  after(async () => {
    await oracle.close();
    exchange.close();
  });

  interface Sent {
    readonly from?: number;
    readonly to: number | string;
    readonly amount: number;
    readonly memo: readonly number[] | Hex;
    readonly asset?: number;
    readonly route?: number;
    readonly status?: number;
    readonly type?: number;
    readonly time?: number;
    readonly change?: object;
  }

  /** Adds a transfer to the exchange. */
  function send({ from = ALICE, to, amount, memo, ...sent }: Sent): string {
    const { asset = DOLLAR, route = PERPETUALS, status = EXECUTED, type = TRANSFER, time = TIME, change } = sent;
    count += 1;
    const hash = count.toString(16).padStart(80, "ab");
    const info = {
      FromAccountIndex: from,
      ApiKeyIndex: 3,
      ToAccountIndex: Number(to),
      AssetIndex: asset,
      FromRouteType: PERPETUALS,
      ToRouteType: route,
      Amount: amount,
      USDCFee: 3_000_000,
      Memo: typeof memo === "string" ? [...hexToBytes(memo)] : memo,
      ExpiredAt: 1,
      Nonce: 1,
    };
    transactions.set(
      hash,
      transactionShape({ hash, status, type, time, info, ...(change === undefined ? {} : { change }) }),
    );
    return hash;
  }

  interface Expected {
    readonly id: Hex;
    readonly currency: string;
    readonly amount: bigint;
    readonly depository?: string;
  }

  /** Checks the whole response against the transfer and the published derivations. */
  async function expectDeposit(transactionId: string, expected: Expected): Promise<void> {
    const { id, currency, amount, depository = DEPOSITORY } = expected;
    const { status, body } = await deposits(transactionId);
    expect({ status, messages: body.messages }).to.deep.equal({
      status: 200,
      messages: [
        {
          data: { chainId: CHAIN, transactionId },
          result: {
            onchainId: idOf(CHAIN, transactionId, "0"),
            depository,
            depositor: `${ALICE}`,
            currency,
            amount: amount.toString(),
            depositId: id,
          },
          extraData: { timestamp: TIME.toString() },
        },
      ],
    });
    await expectExecution(body.execution, idOf(CHAIN, transactionId), [
      mintOf(creditedOf(CHAIN, encode(`${ALICE}`), TIME, id), tokenOf(CHAIN, encode(currency)), amount),
    ]);
  }

  it("reports deposits of every asset, with the id of their memo", async () => {
    for (const [sent, currency] of [
      [{}, "0"],
      [{ status: COMMITTED }, "0"],
      [{ route: SPOT }, "3"],
      [{ asset: ETHER, route: SPOT }, "1"],
      // Others are credited too, so that they can be returned.
      [{ asset: 77, route: PERPETUALS }, "77"],
    ] as const) {
      const hash = send({ to: DEPOSITORY, amount: 1_000_000, memo: ID, ...sent });
      await expectDeposit(hash, { id: ID, currency, amount: 1_000_000n });
    }
    const other = send({ to: SECOND, amount: 5, memo: ID });
    await expectDeposit(other, { id: ID, currency: "0", amount: 5n, depository: SECOND });
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
      const hash = send({ to: DEPOSITORY, amount: 5, memo });
      await expectDeposit(hash, { id: zeroHash, currency: "0", amount: 5n });
    }
    const almost = toHex(Uint8Array.from([...address.slice(0, 31), 1]));
    await expectDeposit(send({ to: DEPOSITORY, amount: 5, memo: almost }), { id: almost, currency: "0", amount: 5n });
  });

  it("is empty for transfers to others and to oneself, and for other kinds of transactions", async () => {
    for (const hash of [
      send({ to: BOB, amount: 5, memo: ID }),
      send({ from: Number(DEPOSITORY), to: DEPOSITORY, amount: 5, memo: ID }),
      send({ to: DEPOSITORY, amount: 5, memo: ID, type: WITHDRAWAL }),
      send({ to: DEPOSITORY, amount: 5, memo: ID, change: { info: "" } }),
    ]) {
      expect(await deposits(hash)).to.deep.equal({ status: 200, body: { messages: [] } });
    }
  });

  it("is rejected if missing, pending or failed, and for ids of another kind", async () => {
    const missing = "ee".repeat(40);
    await expectRefused(deposits(missing), `Missing transaction ${missing} on chain ${CHAIN}`);
    for (const status of [FAILED, WAITING, 9]) {
      const hash = send({ to: DEPOSITORY, amount: 5, memo: ID, status });
      await expectRefused(deposits(hash), `Missing or reverted transaction ${hash}`);
    }
    const timeless = send({ to: DEPOSITORY, amount: 5, memo: ID, change: { queued_at: 0 } });
    await expectRefused(deposits(timeless), `Missing queued_at for transaction ${timeless}`);
    await expectRefused(deposits("0x12"), 'transactionId is "0x0x12": it is not hex without 0x');
  });

  it("reads an executed transaction once", async () => {
    const hash = send({ to: DEPOSITORY, amount: 5, memo: ID });
    const first = await deposits(hash);
    const calls = exchange.calls.length;
    expect(await deposits(hash)).to.deep.equal(first);
    expect(exchange.calls).to.have.length(calls);
  });

  describe("of a solver", () => {
    /** Creates an order, and the deposit that pays it. */
    function pay(change: Partial<FamilyOrder> = {}) {
      const order = familyOrder({
        chainId: CHAIN,
        currency: "0",
        recipient: `${BOB}`,
        amount: "40",
        salt: transactions.size,
        ...change,
      });
      const orderId = familyOrderId(order, encode);
      const transactionId = send({ to: DEPOSITORY, amount: 60, memo: orderId });
      return { order, orderId, paidBy: { transactionId, onchainId: idOf(CHAIN, transactionId, "0") } };
    }

    const settle = (orderId: Hex, sent: Partial<Sent> = {}) =>
      send({ from: CAROL, to: BOB, amount: 40, memo: orderId, ...sent });

    it("reports a fill in each currency of orders", async () => {
      for (const [currency, sent] of [
        ["0", {}],
        ["3", { route: SPOT }],
        ["1", { asset: ETHER, route: SPOT }],
      ] as const) {
        const { order } = pay({ currency });
        const inDollars = { ...order, inputs: pay().order.inputs };
        const orderId = familyOrderId(inDollars, encode);
        const transactionId = send({ to: DEPOSITORY, amount: 60, memo: orderId });
        const paidBy = { transactionId, onchainId: idOf(CHAIN, transactionId, "0") };
        const { status, body } = await fill(inDollars, orderId, paidBy, settle(orderId, sent));
        expect({ status, result: body.message.result }).to.deep.equal({
          status: 200,
          result: { orderId, status: 1, totalWeightedInputPaymentBpsDiff: (5n * 10n ** 17n).toString() },
        });
        const solverAlias = aliasOf(SOLVER_CHAIN, solver.address.toLowerCase() as Hex);
        await expectExecution(body.execution, idOf(idOf(paidBy.onchainId), orderId), [
          transferOf(
            creditedOf(CHAIN, encode(`${ALICE}`), TIME, orderId),
            solverAlias,
            tokenOf(CHAIN, encode("0")),
            60n,
          ),
          transferOf(solverAlias, aliasOf(CHAIN, encode(`${BOB}`)), tokenOf(CHAIN, encode(currency)), 3n),
        ]);
      }
    });

    it("is rejected for the wrong amount, recipient, currency, order or time, and for failed and missing fills", async () => {
      const { order, orderId, paidBy } = pay();
      const short = "Insufficient fill amount for order output payment 0 (paidAmount=39, minimumAmount=40)";
      const missing = "ee".repeat(40);
      const cases: [string, string][] = [
        [settle(orderId, { amount: 39 }), short],
        [settle(orderId, { to: ALICE }), "Could not detect payment"],
        [settle(orderId, { route: SPOT }), "Could not detect payment"],
        [settle(orderId, { route: 2 }), "Could not detect payment"],
        [settle(orderId, { asset: ETHER }), "Could not detect payment"],
        [settle(orderId, { asset: 77, route: SPOT }), "Could not detect payment"],
        [settle(orderId, { type: WITHDRAWAL }), "Could not detect payment"],
        [settle(ID), "Transaction {tx} does not reference order id"],
        [settle(orderId, { time: 2_000_000_001 }), "Transaction {tx} executed after deadline"],
        [settle(orderId, { change: { queued_at: 0 } }), "Missing or reverted transaction {tx}"],
        [settle(orderId, { status: FAILED }), "Missing or reverted transaction {tx}"],
        [missing, `Missing transaction {tx} on chain ${CHAIN}`],
      ];
      for (const [hash, message] of cases) {
        await expectRefused(fill(order, orderId, paidBy, hash), message.replace("{tx}", hash));
      }
    });

    it("attests a refund, and rejects one below the deposited amount", async () => {
      const { order, orderId, paidBy } = pay();
      await expectRefused(
        refund(order, orderId, paidBy, settle(orderId, { amount: 59 })),
        "Insufficient refund amount for order input payment 0 (paidAmount=59, minimumAmount=60)",
      );
      const { status, body } = await refund(order, orderId, paidBy, settle(orderId, { amount: 60 }));
      expect(status).to.equal(200);
      await expectExecution(body.execution, idOf(idOf(paidBy.onchainId), orderId), [
        transferOf(
          creditedOf(CHAIN, encode(`${ALICE}`), TIME, orderId),
          aliasOf(SOLVER_CHAIN, solver.address.toLowerCase() as Hex),
          tokenOf(CHAIN, encode("0")),
          60n,
        ),
      ]);
    });
  });

  describe("with unreliable hosts", () => {
    it("falls back to the next host with the key if one is down", async () => {
      const hash = send({ to: DEPOSITORY, amount: 5, memo: ID });
      await using both = await startFamilyOracle({
        chain: chainAt("http://127.0.0.1:1", { rpcUrls: [exchange.url], rpcApiKey: "key" }),
      });
      expect((await deposits(hash, both)).status).to.equal(200);
      expect(exchange.calls.at(-1)?.headers["x-api-key"]).to.equal("key");
      expect(await rpcFailures(both)).to.have.length(1);
      await using alone = await startFamilyOracle({ chain: chainAt("http://127.0.0.1:1") });
      expect(await deposits(hash, alone)).to.deep.equal(INTERNAL_ERROR);
    });

    it("rejects a response about another transaction, and one that is not a transfer", async () => {
      const [foreign, odd, endless] = [1, 2, 3].map(() => send({ to: DEPOSITORY, amount: 5, memo: ID }));
      transactions.set(foreign ?? "", transactions.get(odd ?? "") ?? {});
      transactions.set(odd ?? "", { ...transactions.get(odd ?? ""), info: "{" });
      // A number that JSON cannot represent exactly.
      transactions.set(endless ?? "", {
        ...transactions.get(endless ?? ""),
        info: JSON.stringify({ Amount: 2 ** 60 }),
      });
      for (const hash of [foreign, odd, endless]) expect(await deposits(hash ?? "")).to.deep.equal(INTERNAL_ERROR);
    });

    it("attests nothing that only one host reports", async () => {
      const hash = send({ to: DEPOSITORY, amount: 5, memo: ID });
      const shape = transactions.get(hash) as { readonly info: string };
      const lie = { ...shape, info: shape.info.replace('"Amount":5', '"Amount":5000000') };
      const liar = await startRecordedServer(() => ({ body: lie }));
      await using agreeing = await startFamilyOracle({
        chain: chainAt(exchange.url, { rpcUrls: [liar.url], rpcAgreement: 2 }),
      });
      expect(await deposits(hash, agreeing)).to.deep.equal(INTERNAL_ERROR);
      expect(await rpcFailures(agreeing)).to.have.length(2);
      liar.close();
    });
  });
});
