import { expect } from "chai";
import { type Hex, zeroHash } from "viem";

import type { ChainConfig } from "../../../packages/oracle/src/chainFiles.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import {
  blockHashOf,
  coreHeader,
  coreShape,
  esploraShape,
  legacyParty,
  noteScript,
  type Party,
  taprootParty,
  type TestTransaction,
  txidOf,
  witnessParty,
} from "./support/bitcoinShapes.ts";
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
  jsonRpc,
  JsonRpcFault,
  type RecordedCall,
  type RecordedServer,
  startRecordedServer,
} from "./support/recordedServer.ts";
import { aliasOf, creditedOf, expectExecution, idOf, mintOf, tokenOf, transferOf } from "./support/vectors.ts";

const CHAIN = "bitcoin";
const TIP = 900_000;
const TIME = 1_790_000_000;
const ID: Hex = `0x${"c1".repeat(32)}`;
const NATIVE = "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8";
/** Witness version 0, with a program that is too short for any address. */
const NATIVE_BYTES: Hex = `0x00${"00".repeat(19)}`;
const [depository, second] = [witnessParty("depository"), legacyParty("second depository", "script")];
const [alice, bob, carol] = [legacyParty("alice", "key"), taprootParty("bob"), witnessParty("carol")];

describe("the oracle on Bitcoin", () => {
  const transactions = new Map<string, TestTransaction>();
  const encodings = new Map([NATIVE, alice, bob, carol].map((party) => encodingOf(party)));
  const encode = (address: string): Hex => encodings.get(address) ?? "0x";
  let core: RecordedServer;
  let esplora: RecordedServer;
  let byCore: Oracle;
  let byEsplora: Oracle;
  const { deposits, fill, refund } = familyRoutes(() => byCore, CHAIN);

  function encodingOf(party: Party | string): readonly [string, Hex] {
    return typeof party === "string" ? [party, NATIVE_BYTES] : [party.address, party.encoded];
  }

  const answerCore = jsonRpc((method, [first]) => {
    if (method === "getblockcount") return TIP;
    if (method === "getrawtransaction") {
      const transaction = transactions.get(first as string);
      return transaction === undefined
        ? new JsonRpcFault(-5, "No such mempool or blockchain transaction. Use gettransaction for wallet transactions.")
        : coreShape(transaction, TIP);
    }
    const blocks = [...transactions.values()].flatMap(({ block }) => (block === undefined ? [] : [block]));
    const block = blocks.find((other) => blockHashOf(other) === first);
    return block === undefined ? new JsonRpcFault(-5, "Block not found") : coreHeader(block, TIP);
  });

  const answerEsplora = ({ path }: RecordedCall) => {
    if (path === "/api/blocks/tip/height") return { body: `${TIP}` };
    const transaction = transactions.get(path.replace("/api/tx/", ""));
    return transaction === undefined
      ? { status: 404, body: "Transaction not found" }
      : { body: esploraShape(transaction) };
  };

  const chainAt = (httpRpcUrl: string, additionalData: ChainConfig["additionalData"] = {}) => ({
    id: CHAIN,
    vmType: "bitcoin-vm" as const,
    httpRpcUrl,
    additionalData,
    depository: depository.address,
    additionalDepositories: [second.address],
  });

  before(async () => {
    core = await startRecordedServer(answerCore);
    esplora = await startRecordedServer(answerEsplora);
    const url = `${esplora.url}/api`;
    byCore = await startFamilyOracle({ chain: chainAt(core.url) });
    byEsplora = await startFamilyOracle({ chain: chainAt(url, { esploraCompatibleApiUrl: url }) });
  });
  after(async () => {
    for (const oracle of [byCore, byEsplora]) await oracle.close();
    for (const server of [core, esplora]) server.close();
  });

  /** Pays parties from an output of another transaction to the sender, and carries text outputs. */
  function pay(
    name: string,
    sender: Party,
    to: readonly (readonly [Party, bigint] | string)[],
    block: TestTransaction["block"] | null = { height: TIP - 1, time: TIME },
  ): string {
    const funding = txidOf(`funds ${name}`);
    transactions.set(funding, {
      txid: funding,
      inputs: ["coinbase"],
      outputs: [
        { script: carol.script, satoshis: 1n },
        { script: sender.script, satoshis: 50n * 10n ** 8n },
      ],
    });
    const txid = txidOf(name);
    transactions.set(txid, {
      txid,
      inputs: [{ txid: funding, vout: 1 }],
      ...(block === null ? {} : { block }),
      outputs: to.map((output) =>
        typeof output === "string"
          ? { script: noteScript(output), satoshis: 0n }
          : { script: output[0].script, satoshis: output[1] },
      ),
    });
    return txid;
  }

  interface Expected {
    readonly index: number;
    readonly id: Hex;
    readonly to?: Party;
    readonly depositor: Party;
    readonly amount: bigint;
  }

  /** Checks the whole response, from a node and from an explorer. */
  async function expectDeposit(transactionId: string, expected: Expected): Promise<void> {
    const { index, id, to = depository, depositor, amount } = expected;
    for (const oracle of [byCore, byEsplora]) {
      const { status, body } = await deposits(transactionId, oracle);
      expect({ status, messages: body.messages }).to.deep.equal({
        status: 200,
        messages: [
          {
            data: { chainId: CHAIN, transactionId },
            result: {
              onchainId: idOf(CHAIN, transactionId, index),
              depository: to.address,
              depositId: id,
              depositor: depositor.address,
              currency: NATIVE,
              amount: amount.toString(),
            },
            extraData: { timestamp: TIME.toString() },
          },
        ],
      });
      await expectExecution(body.execution, idOf(CHAIN, transactionId), [
        mintOf(creditedOf(CHAIN, depositor.encoded, TIME, id), tokenOf(CHAIN, NATIVE_BYTES), amount),
      ]);
    }
  }

  it("reports a deposit with the id that an output carries, and all that the depository gets", async () => {
    const txid = pay("with id", alice, [[depository, 1n], [carol, 7n], ID, [depository, 2_099_999_999_999_999n]]);
    await expectDeposit(txid, { index: 2, id: ID, depositor: alice, amount: 2_100_000_000_000_000n });
  });

  it("reports a deposit without an id, to any of the depositories, from any kind of address", async () => {
    for (const depositor of [alice, bob, carol, legacyParty("dave", "script")]) {
      const txid = pay(`from ${depositor.address}`, depositor, [[second, 29_979_246n], "hello"]);
      await expectDeposit(txid, { index: 0, id: zeroHash, to: second, depositor, amount: 29_979_246n });
    }
  });

  it("accepts a depositor in an output, and an id before other text", async () => {
    const txid = pay("named", carol, [`${ID}|depositor=nobody|depositor=${bob.address}|`, [depository, 5n]]);
    await expectDeposit(txid, { index: 0, id: ID, depositor: bob, amount: 5n });
    const noId = pay("no id", alice, [`0x${"zz".repeat(32)}`, ID.slice(0, 65), ID, [depository, 5n]]);
    await expectDeposit(noId, { index: 2, id: ID, depositor: alice, amount: 5n });
  });

  it("is empty if a depository is the sender, as for withdrawals and their change", async () => {
    const txid = pay("change", depository, [
      [carol, 7n],
      [depository, 5n],
    ]);
    for (const oracle of [byCore, byEsplora]) {
      expect(await deposits(txid, oracle)).to.deep.equal({ status: 200, body: { messages: [] } });
    }
  });

  it("is rejected for transactions that are missing, unconfirmed, in a stale block or not deep enough", async () => {
    const missing = txidOf("missing");
    const stale = { height: TIP - 100, time: TIME, isStale: true };
    const notFinal = [
      pay("waiting", alice, [[depository, 5n]], null),
      pay("shallow", alice, [[depository, 5n]], { height: TIP, time: TIME }),
      pay("stale", alice, [[depository, 5n]], stale),
    ];
    for (const oracle of [byCore, byEsplora]) {
      await expectRefused(deposits(missing, oracle), `Missing transaction ${missing}`);
      for (const txid of notFinal) {
        await expectRefused(deposits(txid, oracle), `Transaction ${txid} is not finalized`);
      }
    }
    const deep = pay("deep", alice, [[depository, 5n]], { height: TIP - 3, time: TIME });
    const shallow = pay("not deep", alice, [[depository, 5n]], { height: TIP - 2, time: TIME });
    await using careful = await startFamilyOracle({ chain: chainAt(core.url, { finalizationBlocks: 4 }) });
    expect((await deposits(deep, careful)).status).to.equal(200);
    await expectRefused(deposits(shallow, careful), `Transaction ${shallow} is not finalized`);
    const reason = "it is not a transaction hash of 32 bytes, without 0x";
    await expectRefused(deposits(`0x${deep}`), `transactionId is "0x0x${deep}": ${reason}`);
  });

  it("is rejected for transactions that pay no depository or several, or have no sender", async () => {
    const nothing = pay("nothing", alice, [[carol, 7n], ID]);
    await expectRefused(deposits(nothing), "No value sent to the depository");
    const both = pay("both", alice, [
      [depository, 7n],
      [second, 7n],
    ]);
    await expectRefused(deposits(both), "Multiple depositories received funds");
    const odd: Party = { address: "", encoded: "0x", script: "0x51" };
    await expectRefused(deposits(pay("odd", odd, [[depository, 7n]])), "Could not determine depositor");
    const txid = txidOf("unfunded");
    transactions.set(txid, {
      txid,
      inputs: [{ txid: txidOf("unknown"), vout: 0 }],
      block: { height: TIP - 1, time: TIME },
      outputs: [{ script: depository.script, satoshis: 5n }],
    });
    await expectRefused(deposits(txid), `Missing input transaction ${txidOf("unknown")}`);
  });

  it("reads a final transaction once", async () => {
    const txid = pay("once", alice, [[depository, 5n]]);
    const first = await deposits(txid);
    const calls = core.calls.length;
    expect(await deposits(txid)).to.deep.equal(first);
    expect(core.calls).to.have.length(calls);
  });

  describe("of a solver", () => {
    function paidOrder(change: Partial<FamilyOrder> = {}) {
      const recipient = bob.address;
      const order = familyOrder({
        chainId: CHAIN,
        currency: NATIVE,
        recipient,
        amount: "40",
        salt: transactions.size,
        ...change,
      });
      const orderId = familyOrderId(order, encode);
      const transactionId = pay(`pays ${orderId}`, alice, [orderId, [depository, 60n]]);
      return { order, orderId, paidBy: { transactionId, onchainId: idOf(CHAIN, transactionId, 0) } };
    }

    it("reports a fill: all that a transaction pays the recipient", async () => {
      const { order, orderId, paidBy } = paidOrder();
      const txid = pay("fill", carol, [[bob, 15n], [carol, 1n], orderId, [bob, 25n]]);
      const { status, body } = await fill(order, orderId, paidBy, txid);
      expect({ status, result: body.message.result }).to.deep.equal({
        status: 200,
        result: { orderId, status: 1, totalWeightedInputPaymentBpsDiff: (5n * 10n ** 17n).toString() },
      });
      const token = tokenOf(CHAIN, NATIVE_BYTES);
      const solverAlias = aliasOf(SOLVER_CHAIN, solver.address.toLowerCase() as Hex);
      await expectExecution(body.execution, idOf(idOf(paidBy.onchainId), orderId), [
        transferOf(creditedOf(CHAIN, alice.encoded, TIME, orderId), solverAlias, token, 60n),
        transferOf(solverAlias, aliasOf(CHAIN, bob.encoded), token, 3n),
      ]);
    });

    it("is rejected for the wrong amount, recipient, order or time, and for missing and unconfirmed fills", async () => {
      const { order, orderId, paidBy } = paidOrder();
      const short = (paid: number) =>
        `Insufficient fill amount for order output payment 0 (paidAmount=${paid}, minimumAmount=40)`;
      const late = { height: TIP - 1, time: 2_000_000_001 };
      const cases: [string, string][] = [
        [pay("one less", carol, [orderId, [bob, 39n]]), short(39)],
        [pay("another recipient", carol, [orderId, [carol, 40n]]), short(0)],
        [pay("another order", carol, [ID, [bob, 40n]]), "Transaction {tx} does not reference order id"],
        [pay("more text", carol, [`${orderId} `, [bob, 40n]]), "Transaction {tx} does not reference order id"],
        [pay("late", carol, [orderId, [bob, 40n]], late), "Transaction {tx} executed after deadline"],
        [pay("unconfirmed", carol, [orderId, [bob, 40n]], null), "Transaction {tx} is not finalized"],
        [txidOf("missing"), "Transaction {tx} not found"],
      ];
      for (const [txid, message] of cases) {
        await expectRefused(fill(order, orderId, paidBy, txid), message.replace("{tx}", txid));
      }
      const foreign = paidOrder({ currency: carol.address });
      const paid = pay("foreign currency", carol, [foreign.orderId, [bob, 40n]]);
      expect(await fill(foreign.order, foreign.orderId, foreign.paidBy, paid)).to.deep.equal({
        status: 400,
        body: { message: short(0) },
      });
    });

    it("is rejected if two outputs name orders, or if it pays a depository", async () => {
      const { order, orderId, paidBy } = paidOrder();
      for (const ids of [
        [orderId, ID],
        [ID, orderId],
      ] as const) {
        const txid = pay(`two orders ${ids[0]}`, carol, [...ids, [bob, 40n]]);
        await expectRefused(
          fill(order, orderId, paidBy, txid),
          `Ambiguous transaction ${txid}: it could be of order ${orderId} or of order ${ID}, and counts once`,
        );
      }
      const noted = pay("a note too", carol, [orderId, "a note", orderId, [bob, 40n]]);
      expect((await fill(order, orderId, paidBy, noted)).status).to.equal(200);
      const deposit = paidOrder({ recipient: depository.address });
      const txid = pay("into the depository", carol, [deposit.orderId, [depository, 40n]]);
      expect((await fill(deposit.order, deposit.orderId, deposit.paidBy, txid)).status).to.equal(400);
    });

    it("attests a refund, and rejects one below the deposited amount", async () => {
      const { order, orderId, paidBy } = paidOrder();
      await expectRefused(
        refund(order, orderId, paidBy, pay("short refund", carol, [orderId, [bob, 59n]])),
        "Insufficient refund amount for order input payment 0 (paidAmount=59, minimumAmount=60)",
      );
      const whole = pay("refund", carol, [orderId, [bob, 60n]]);
      const { status, body } = await refund(order, orderId, paidBy, whole);
      expect(status).to.equal(200);
      await expectExecution(body.execution, idOf(idOf(paidBy.onchainId), orderId), [
        transferOf(
          creditedOf(CHAIN, alice.encoded, TIME, orderId),
          aliasOf(SOLVER_CHAIN, solver.address.toLowerCase() as Hex),
          tokenOf(CHAIN, NATIVE_BYTES),
          60n,
        ),
      ]);
    });
  });

  describe("with unreliable endpoints", () => {
    const additionalData = () => ({ esploraCompatibleApiUrl: `${esplora.url}/api` });

    it("falls back to the explorer if the node is down", async () => {
      const txid = pay("failover", alice, [[depository, 5n]]);
      await using both = await startFamilyOracle({ chain: chainAt("http://127.0.0.1:1", additionalData()) });
      expect((await deposits(txid, both)).status).to.equal(200);
      await using alone = await startFamilyOracle({ chain: chainAt("http://127.0.0.1:1") });
      expect(await deposits(txid, alone)).to.deep.equal(INTERNAL_ERROR);
    });

    it("attests only what node and explorer agree on", async () => {
      const agreed = pay("agreed", alice, [[depository, 29_979_246n], ID]);
      const disputed = pay("disputed", alice, [[depository, 5n]]);
      await using both = await startFamilyOracle({
        chain: chainAt(core.url, { ...additionalData(), rpcAgreement: 2 }),
      });
      expect((await deposits(agreed, both)).status).to.equal(200);
      expect(await rpcFailures(both)).to.deep.equal([]);
      esplora.answer((call) =>
        call.path.endsWith(disputed)
          ? {
              body: esploraShape({
                txid: disputed,
                inputs: ["coinbase"],
                block: { height: TIP - 1, time: TIME },
                outputs: [{ script: depository.script, satoshis: 500_000n }],
              }),
            }
          : answerEsplora(call),
      );
      expect(await deposits(disputed, both)).to.deep.equal(INTERNAL_ERROR);
      expect(await rpcFailures(both)).to.have.length(2);
      esplora.answer();
    });

    it("rejects responses about another transaction", async () => {
      const [asked, other] = [txidOf("asked"), pay("other", alice, [[depository, 5n]])];
      core.answer((call) => answerCore({ ...call, body: call.body.replace(asked, other) }));
      esplora.answer((call) => answerEsplora({ ...call, path: call.path.replace(asked, other) }));
      for (const oracle of [byCore, byEsplora]) expect(await deposits(asked, oracle)).to.deep.equal(INTERNAL_ERROR);
      for (const server of [core, esplora]) server.answer();
    });

    it("reports an explorer that limits the rate, rejects requests, or returns invalid data", async () => {
      for (const [answer, failure] of [
        [{ status: 429, body: "slow down" }, "rate-limited"],
        [{ status: 500, body: "oops" }, "refused"],
        [{ body: "<html>" }, "malformed"],
        [{ body: { txid: txidOf("other") } }, "malformed"],
      ] as const) {
        const url = `${esplora.url}/api`;
        await using alone = await startFamilyOracle({ chain: chainAt(url, additionalData()) });
        esplora.answer(() => answer);
        expect(await deposits(txidOf("any"), alone)).to.deep.equal(INTERNAL_ERROR);
        const failures = await rpcFailures(alone);
        expect(failures.map((line) => /failure="([^"]+)"/u.exec(line)?.[1])).to.include(failure);
        esplora.answer();
      }
    });

    it("sends the explorer an API key, or a login token until it expires", async () => {
      const headersOf = (name: string) => esplora.calls.at(-1)?.headers[name];
      const settings = additionalData();
      await using keyed = await startFamilyOracle({
        chain: chainAt(settings.esploraCompatibleApiUrl, { ...settings, maestroApiKey: "key" }),
      });
      await deposits(pay("keyed", alice, [[depository, 5n]]), keyed);
      expect(headersOf("api-key")).to.equal("key");

      let now = 1_000_000;
      const login = await startRecordedServer(() => ({ body: { access_token: `t${now}`, expires_in: 300 } }));
      const client = { blockstreamClientId: "id", blockstreamClientSecret: "s&cret", blockstreamLoginUrl: login.url };
      await using logged = await startFamilyOracle({
        chain: chainAt(settings.esploraCompatibleApiUrl, { ...settings, ...client }),
        now: () => now,
      });
      for (const [after, token, logins] of [
        [0, "t1000000", 1],
        [299_999, "t1000000", 1],
        [300_000, "t1300000", 2],
      ] as const) {
        now = 1_000_000 + after;
        expect((await deposits(pay(`after ${after}`, alice, [[depository, 5n]]), logged)).status).to.equal(200);
        expect(headersOf("authorization")).to.equal(`Bearer ${token}`);
        expect(new Set(login.calls.map(({ body }) => body))).to.have.lengthOf(1);
        expect(login.calls.length).to.be.at.least(logins);
      }
      expect(Object.fromEntries(new URLSearchParams(login.calls[0]?.body))).to.deep.equal({
        grant_type: "client_credentials",
        scope: "openid",
        client_id: "id",
        client_secret: "s&cret",
      });
      login.answer(() => ({ status: 401, body: { error: "unauthorized" } }));
      now += 10 ** 9;
      expect(await deposits(pay("locked out", alice, [[depository, 5n]]), logged)).to.deep.equal(INTERNAL_ERROR);
      login.close();
    });
  });
});
