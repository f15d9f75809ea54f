import { expect } from "chai";
import { type Hex, zeroHash } from "viem";

import type { ChainConfig } from "../../../packages/oracle/src/chainFiles.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import {
  BitcoinChain,
  legacyParty,
  type Party,
  taprootParty,
  type TestOutput,
  TIP,
  txidOf,
  witnessParty,
} from "./support/bitcoinShapes.ts";
import {
  expectRejection,
  familySuite,
  INTERNAL_ERROR,
  rpcFailures,
  startFamilyOracle,
  TIME,
  tooLittle,
} from "./support/familyOracle.ts";
import { jsonRpc, type RecordedCall, type RecordedServer, startRecordedServer } from "./support/recordedServer.ts";
import { vmCodecOf } from "../../../packages/protocol/src/vms/index.ts";

const CHAIN = "bitcoin";
const ID: Hex = `0x${"c1".repeat(32)}`;
const { nativeCurrency: NATIVE, encodeAddress } = vmCodecOf("bitcoin-vm");
const [depository, second] = [witnessParty("depository"), legacyParty("second depository", "script")];
const [alice, bob, carol] = [legacyParty("alice", "key"), taprootParty("bob"), witnessParty("carol")];
const paid: readonly TestOutput[] = [[depository, 5n]];

describe("the oracle on Bitcoin", () => {
  const chain = new BitcoinChain();
  const pay = chain.pay.bind(chain);
  const respondCore = jsonRpc((method, params) => chain.answerRpc(method, params));
  const respondEsplora = ({ path }: RecordedCall) => chain.respondExplorer(path.replace("/api", ""));
  let core: RecordedServer;
  let esplora: RecordedServer;
  let byCore: Oracle;
  let byEsplora: Oracle;
  const { deposits, expectDeposits, expectNoDeposits, place } = familySuite({
    order: { chainId: CHAIN, currency: NATIVE, recipient: bob.address },
    depository: depository.address,
    encode: (address) => encodeAddress(address, "address"),
    index: 0,
    deposit: (orderId) => pay(`pays ${orderId}`, alice, [orderId, [depository, 60n]]),
    oracle: () => byCore,
  });

  const chainAt = (httpRpcUrl: string, additionalData: ChainConfig["additionalData"] = {}) => ({
    id: CHAIN,
    vmType: "bitcoin-vm" as const,
    httpRpcUrl,
    additionalData,
    depository: depository.address,
    additionalDepositories: [second.address],
  });

  before(async () => {
    core = await startRecordedServer(respondCore);
    esplora = await startRecordedServer(respondEsplora);
    const url = `${esplora.url}/api`;
    byCore = await startFamilyOracle({ chain: chainAt(core.url) });
    byEsplora = await startFamilyOracle({ chain: chainAt(url, { esploraCompatibleApiUrl: url }) });
  });
  after(async () => {
    for (const oracle of [byCore, byEsplora]) await oracle.close();
    for (const server of [core, esplora]) server.close();
  });

  it("reports deposits to any depository, with the depositor and id from the outputs, if present", async () => {
    const dave = legacyParty("dave", "script");
    for (const [name, sender, outputs, expected] of [
      [
        "most",
        alice,
        [ID, [depository, 2_099_999_999_999_999n], [depository, 1n]],
        { amount: 21n * 10n ** 14n, id: ID },
      ],
      ["second", dave, [[second, 7n], "hello"], { depository: second.address, depositor: dave.address, amount: 7n }],
      [
        "named depositor",
        carol,
        [`${ID}|depositor=invalid|depositor=${bob.address}|`, ...paid],
        { id: ID, depositor: bob.address },
      ],
      ["ids", alice, [`0x${"zz".repeat(32)}`, ID.slice(0, 65), ID, ...paid], { index: 2, id: ID }],
    ] satisfies [string, Party, TestOutput[], object][]) {
      const deposit = { index: 0, id: zeroHash, depositor: alice.address, amount: 5n, ...expected };
      const txid = pay(name, sender, outputs);
      for (const oracle of [byCore, byEsplora]) await expectDeposits(txid, [deposit], oracle);
    }
  });

  it("reports no deposits if a depository is the sender, as in withdrawals and their change", async () => {
    const txid = pay("change", depository, [[carol, 7n], ...paid]);
    for (const oracle of [byCore, byEsplora]) await expectNoDeposits([txid], oracle);
  });

  it("rejects transactions that are unconfirmed, in a stale block, or too recent", async () => {
    for (const txid of [
      pay("waiting", alice, paid, null),
      pay("stale", alice, paid, { height: TIP - 100, time: TIME, isStale: true }),
    ]) {
      for (const oracle of [byCore, byEsplora]) {
        await expectRejection(deposits(txid, oracle), `Transaction ${txid} is not finalized`);
      }
    }
    const [deep, shallow] = [3, 2].map((depth) =>
      pay(`depth ${depth}`, alice, paid, { height: TIP - depth, time: TIME }),
    ) as [string, string];
    await using careful = await startFamilyOracle({ chain: chainAt(core.url, { finalizationBlocks: 4 }) });
    expect((await deposits(deep, careful)).status).to.equal(200);
    await expectRejection(deposits(shallow, careful), `Transaction ${shallow} is not finalized`);
  });

  it("rejects transactions that pay several depositories, or have no sender", async () => {
    const both = pay("both", alice, [...paid, [second, 7n]]);
    await expectRejection(deposits(both), "Multiple depositories received funds");
    const odd: Party = { address: "", encoded: "0x", script: "0x51" };
    await expectRejection(deposits(pay("odd", odd, paid)), "Could not determine depositor");
    const unfunded = chain.add({
      txid: txidOf("unfunded"),
      inputs: [{ txid: txidOf("unknown"), vout: 0 }],
      block: { height: TIP - 1, time: TIME },
      outputs: [{ script: depository.script, satoshis: 5n }],
    });
    await expectRejection(deposits(unfunded), `Missing input transaction ${txidOf("unknown")}`);
  });

  it("reads a final transaction only once", async () => {
    const txid = pay("once", alice, paid);
    const first = await deposits(txid);
    const calls = core.calls.length;
    expect(await deposits(txid)).to.deep.equal(first);
    expect(core.calls).to.have.length(calls);
  });

  it("counts all payments to the recipient in a fill, regardless of other text outputs", async () => {
    const { orderId, fill } = await place();
    const txid = pay("noted", carol, [[bob, 15n], [carol, 1n], orderId, "a note", orderId, [bob, 25n]]);
    expect((await fill(txid)).status).to.equal(200);
  });

  it("rejects fills with the wrong recipient, order, currency or time, and fills that pay a depository", async () => {
    const { orderId, expectUnfilled } = await place();
    const late = { height: TIP - 1, time: 2_000_000_001 };
    await expectUnfilled([
      [pay("another recipient", carol, [orderId, [carol, 40n]]), tooLittle(0)],
      [pay("more text", carol, [`${orderId} `, [bob, 40n]]), "Transaction {tx} does not reference order id"],
      [pay("late", carol, [orderId, [bob, 40n]], late), "Transaction {tx} executed after deadline"],
      [pay("unconfirmed", carol, [orderId, [bob, 40n]], null), "Transaction {tx} is not finalized"],
      [txidOf("missing"), "Transaction {tx} not found"],
    ]);
    const foreign = await place({ currency: carol.address });
    await foreign.expectUnfilled([[pay("foreign", carol, [foreign.orderId, [bob, 40n]]), tooLittle(0)]]);
    const upper = await place({ currency: NATIVE.toUpperCase() });
    expect((await upper.fill(pay("upper currency", carol, [upper.orderId, [bob, 40n]]))).status).to.equal(200);
    const into = await place({ recipient: depository.address });
    expect((await into.fill(pay("into", carol, [into.orderId, [depository, 40n]]))).status).to.equal(400);
  });

  it("rejects a deposit, whose change returns to the recipient, as a payment of its order", async () => {
    const { orderId, fill, refund } = await place();
    for (const funded of [depository, second]) {
      const deposit = pay(`change ${funded.address}`, bob, [orderId, [funded, 60n], [bob, 5_000n]]);
      const message =
        `Ambiguous transaction ${deposit} to ${funded.address}: it could be a deposit into that depository ` +
        "or a payment of an order, and counts once";
      await expectRejection(fill(deposit), message);
      await expectRejection(refund(deposit), message);
    }
    const fromDepository = pay("from a depository", depository, [orderId, [bob, 40n], [depository, 5_000n]]);
    expect((await fill(fromDepository)).status).to.equal(200);
  });

  it("reads a deposit's id in any case, but not with an upper-case prefix", async () => {
    const deposit = { index: 0, id: ID, depositor: alice.address, amount: 5n };
    const upper = ID.slice(2).toUpperCase();
    await expectDeposits(pay("upper", alice, [`0x${upper}`, ...paid]), [deposit]);
    await expectDeposits(pay("prefix", alice, [`0X${upper}`, ...paid]), [{ ...deposit, id: zeroHash }]);
  });

  describe("with unreliable endpoints", () => {
    const additionalData = () => ({ esploraCompatibleApiUrl: `${esplora.url}/api` });
    afterEach(() => {
      for (const server of [core, esplora]) server.answer();
    });

    it("falls back to the explorer if the node is down", async () => {
      const txid = pay("failover", alice, paid);
      await using both = await startFamilyOracle({ chain: chainAt("http://127.0.0.1:1", additionalData()) });
      expect((await deposits(txid, both)).status).to.equal(200);
      await using alone = await startFamilyOracle({ chain: chainAt("http://127.0.0.1:1") });
      expect(await deposits(txid, alone)).to.deep.equal(INTERNAL_ERROR);
    });

    it("attests only data on which the node and the explorer agree", async () => {
      const agreed = pay("agreed", alice, [[depository, 29_979_246n], ID]);
      const [disputed, other] = [pay("disputed", alice, paid), pay("more", alice, [[depository, 500_000n]])];
      const lie = { ...chain.transactions.get(other)!, txid: disputed };
      await using both = await startFamilyOracle({
        chain: chainAt(core.url, { ...additionalData(), rpcAgreement: 2 }),
      });
      expect((await deposits(agreed, both)).status).to.equal(200);
      expect(await rpcFailures(both)).to.deep.equal([]);
      const liar = new BitcoinChain();
      liar.add(lie);
      esplora.answer((call) =>
        call.path.endsWith(disputed) ? liar.respondExplorer(call.path.replace("/api", "")) : respondEsplora(call),
      );
      expect(await deposits(disputed, both)).to.deep.equal(INTERNAL_ERROR);
      expect(await rpcFailures(both)).to.have.length(2);
    });

    it("rejects responses about another transaction", async () => {
      const [requested, other] = [txidOf("requested"), pay("other", alice, paid)];
      core.answer((call) => respondCore({ ...call, body: call.body.replace(requested, other) }));
      esplora.answer((call) => respondEsplora({ ...call, path: call.path.replace(requested, other) }));
      for (const oracle of [byCore, byEsplora]) expect(await deposits(requested, oracle)).to.deep.equal(INTERNAL_ERROR);
    });

    for (const [response, failure] of [
      [{ status: 429, body: "slow down" }, "rate-limited"],
      [{ status: 500, body: "oops" }, "refused"],
      [{ body: "<html>" }, "malformed"],
      [{ body: { txid: txidOf("other") } }, "malformed"],
    ] as const) {
      it(`reports that the explorer is ${failure}: ${JSON.stringify(response)}`, async () => {
        await using alone = await startFamilyOracle({ chain: chainAt(`${esplora.url}/api`, additionalData()) });
        esplora.answer(() => response);
        expect(await deposits(txidOf("any"), alone)).to.deep.equal(INTERNAL_ERROR);
        expect((await rpcFailures(alone)).join()).to.include(`failure="${failure}"`);
      });
    }

    it("sends the explorer an API key, or an access token that it renews after expiry", async () => {
      const headersOf = (name: string) => esplora.calls.at(-1)?.headers[name];
      const settings = additionalData();
      await using keyed = await startFamilyOracle({
        chain: chainAt(settings.esploraCompatibleApiUrl, { ...settings, maestroApiKey: "key" }),
      });
      await deposits(pay("keyed", alice, paid), keyed);
      expect(headersOf("api-key")).to.equal("key");

      let now = 1_000_000;
      const login = await startRecordedServer(() => ({ body: { access_token: `t${now}`, expires_in: 300 } }));
      const client = { blockstreamClientId: "id", blockstreamClientSecret: "s&cret", blockstreamLoginUrl: login.url };
      await using logged = await startFamilyOracle({
        chain: chainAt(settings.esploraCompatibleApiUrl, { ...settings, ...client }),
        now: () => now,
      });
      for (const [elapsed, token, logins] of [
        [0, "t1000000", 1],
        [299_999, "t1000000", 1],
        [300_000, "t1300000", 2],
      ] as const) {
        now = 1_000_000 + elapsed;
        expect((await deposits(pay(`after ${elapsed}`, alice, paid), logged)).status).to.equal(200);
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
      expect(await deposits(pay("locked out", alice, paid), logged)).to.deep.equal(INTERNAL_ERROR);
      login.close();
    });
  });
});
