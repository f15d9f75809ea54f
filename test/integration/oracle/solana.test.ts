import { createHash } from "node:crypto";

import { expect } from "chai";
import { concatBytes, type Hex, zeroHash } from "viem";

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
import { jsonRpc, type RecordedServer, startRecordedServer } from "./support/recordedServer.ts";
import {
  COMPUTE_BUDGET,
  DEPOSITORY,
  depositOf,
  encodeKey,
  keyOf,
  memoOf,
  nativeTransferOf,
  signatureOf,
  SolanaChain,
  SYSTEM,
  type TestTransaction,
  TOKEN_2022,
  tokenTransferOf,
  transactionShape,
  USDC,
  VAULT,
  VAULT_USDC,
  VAULT_USDC_2022,
} from "./support/solanaShapes.ts";

const CHAIN = "solana";
const ID: Hex = `0x${"c1".repeat(32)}`;
const [alice, bob] = [keyOf("alice"), keyOf("bob")];
const SECOND = keyOf("second depository");
const instructions = [depositOf("deposit_native", alice, 7n, ID)];

describe("the oracle on Solana", () => {
  const chain = new SolanaChain();
  const add = chain.add.bind(chain);
  const options = { id: CHAIN, vmType: "solana-vm" as const, depository: DEPOSITORY, additionalDepositories: [SECOND] };
  let node: RecordedServer;
  let oracle: Oracle;
  const { deposits, expectDeposits, expectNoDeposits, place } = familySuite({
    order: { chainId: CHAIN, currency: USDC, recipient: bob },
    depository: DEPOSITORY,
    encode: encodeKey,
    index: 0,
    deposit: (orderId, { inputs: [input] }) => {
      const name = input?.payment.currency === USDC ? "deposit_token" : "deposit_native";
      return add(`pays ${orderId}`, { instructions: [depositOf(name, alice, 60n, orderId)] });
    },
    oracle: () => oracle,
  });

  before(async () => {
    node = await startRecordedServer(jsonRpc((method, params) => chain.answerRpc(method, params)));
    oracle = await startFamilyOracle({ chain: { ...options, httpRpcUrl: node.url } });
  });
  after(async () => {
    await oracle.close();
    node.close();
  });

  it("reports the largest amount, and reads accounts from lookup tables", async () => {
    const most = add("most", { instructions: [depositOf("deposit_token", bob, 2n ** 64n - 1n, zeroHash)] });
    await expectDeposits(most, [{ index: 0, id: zeroHash, depositor: bob, amount: 2n ** 64n - 1n }]);
    const lookup = add("lookup", {
      instructions: [depositOf("deposit_token", alice, 9n, ID)],
      loaded: [VAULT, USDC],
    });
    await expectDeposits(lookup, [{ index: 0, id: ID, depositor: alice, amount: 9n }]);
  });

  it("credits a direct transfer to the vault if the transaction contains nothing else", async () => {
    const direct = { index: 0, id: zeroHash, depositor: alice };
    const priority = { program: COMPUTE_BUDGET, accounts: [], data: Uint8Array.of(3, 1, 0, 0, 0, 0, 0, 0, 0) };
    const native = add("direct", { instructions: [priority, nativeTransferOf(alice, VAULT, 12n)] });
    await expectDeposits(native, [{ ...direct, currency: SYSTEM, amount: 12n }]);
    for (const checked of [true, false]) {
      const signature = add(`direct token ${checked}`, {
        instructions: [tokenTransferOf({ checked }, { owner: alice, to: VAULT_USDC, amount: 40n })],
        tokens: [{ account: VAULT_USDC, owner: VAULT, before: "5", after: "45" }],
      });
      await expectDeposits(signature, [{ ...direct, amount: 40n }]);
    }
    const withFee = add("fee", {
      instructions: [tokenTransferOf({ program: TOKEN_2022 }, { owner: alice, to: VAULT_USDC_2022, amount: 40n })],
      tokens: [{ account: VAULT_USDC_2022, owner: VAULT, after: "39" }],
    });
    await expectDeposits(withFee, [{ ...direct, amount: 39n }]);
  });

  it("credits what the vault receives of a token with a transfer fee", async () => {
    const deposit = (amount: bigint, program = TOKEN_2022) => {
      const made = depositOf("deposit_token", alice, amount, ID);
      return { ...made, accounts: [...made.accounts, keyOf("alice's account"), VAULT_USDC_2022, program] };
    };
    const tokens = (after: string) => [{ account: VAULT_USDC_2022, owner: VAULT, before: "5", after }];
    const expected = { index: 0, id: ID, depositor: alice };
    const withFee = add("deposit fee", { instructions: [deposit(40n)], tokens: tokens("44") });
    await expectDeposits(withFee, [{ ...expected, amount: 39n }]);
    const others = [deposit(40n), deposit(7n)];
    await expectDeposits(add("no fee", { instructions: others, tokens: tokens("52") }), [
      { ...expected, amount: 40n },
      { ...expected, index: 1, amount: 7n },
    ]);
    const shared = add("shared fee", { instructions: others, tokens: tokens("50") });
    await expectRejection(deposits(shared), `Could not determine the amount of each deposit into ${VAULT_USDC_2022}`);
    const older = [deposit(40n, "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")];
    await expectDeposits(add("older", { instructions: older, tokens: tokens("44") }), [{ ...expected, amount: 40n }]);
  });

  it("reports no deposits for transactions without deposits, and reads only finalized transactions", async () => {
    await expectNoDeposits([
      add("not alone", { instructions: [nativeTransferOf(alice, VAULT, 12n), memoOf("hello")] }),
      // The account holds the token but does not belong to the vault.
      add("other account", {
        instructions: [tokenTransferOf({}, { owner: alice, to: keyOf("other"), amount: 40n })],
        tokens: [{ account: keyOf("other"), owner: VAULT, after: "40" }],
      }),
      add("no deposit", {
        instructions: [{ program: DEPOSITORY, accounts: [alice, alice, alice], data: new Uint8Array(48) }],
      }),
      add("other program", { instructions: [{ ...instructions[0]!, program: keyOf("imitation") }] }),
      signatureOf("missing"),
    ]);
    const calls = node.calls.map(({ body }) => JSON.parse(body) as { params: [string, object] });
    expect(calls.find(({ params }) => params[0] === signatureOf("missing"))?.params[1]).to.deep.equal({
      commitment: "finalized",
      encoding: "json",
      maxSupportedTransactionVersion: 0,
    });
  });

  it("requests the time of the slot if the transaction has no time", async () => {
    const signature = add("timeless", { instructions, blockTime: null, slot: 299_999_999 });
    const deposit = { index: 0, id: ID, depositor: alice, currency: SYSTEM, amount: 7n };
    await expectDeposits(signature, [{ ...deposit, timestamp: TIME + 5 }]);
  });

  it("reads a finalized transaction only once", async () => {
    const signature = add("once", { instructions });
    const first = await deposits(signature);
    const calls = node.calls.length;
    expect(await deposits(signature)).to.deep.equal(first);
    expect(node.calls).to.have.length(calls);
  });

  it("waits for additional slots if configured", async () => {
    await using careful = await startFamilyOracle({
      chain: { ...options, httpRpcUrl: node.url, additionalData: { finalizationBlocks: 10 } },
    });
    const deep = add("deep", { instructions, slot: 300_000_000 });
    const shallow = add("shallow", { instructions, slot: 300_000_001 });
    expect((await deposits(deep, careful)).status).to.equal(200);
    await expectRejection(deposits(shallow, careful), `Transaction ${shallow} is not finalized`);
  });

  describe("for a solver", () => {
    const tokens = (after: string, owner = bob) => [
      { account: keyOf("first"), owner, before: "100", after },
      { account: keyOf("mine"), owner: alice, before: "100", after: "60" },
    ];

    it("counts all token accounts of the recipient, and memos that other programs write", async () => {
      const inToken = await place();
      const filled = add("fill", {
        instructions: [memoOf(`fills ${inToken.orderId}`), memoOf(inToken.orderId)],
        tokens: [...tokens("130"), { account: keyOf("second"), owner: bob, after: "10" }],
      });
      expect((await inToken.fill(filled)).status).to.equal(200);
      const native = await place({ currency: SYSTEM });
      const byProgram = add("native fill", {
        instructions: [nativeTransferOf(alice, bob, 40n)],
        inner: [[memoOf(native.orderId)]],
        lamports: { [bob]: [10, 50] },
      });
      expect((await native.fill(byProgram)).status).to.equal(200);
    });

    it("rejects fills with the wrong amount, recipient, order or time, and failed or missing fills", async () => {
      const { orderId, expectUnfilled } = await place();
      const memos = [memoOf(orderId)];
      const foreign = "Transaction {tx} does not reference order id";
      const program = { ...memoOf(orderId), program: keyOf("other") };
      const cases: [string, TestTransaction, string][] = [
        ["one less", { instructions: memos, tokens: tokens("139") }, tooLittle(39)],
        ["another recipient", { instructions: memos, tokens: tokens("140", keyOf("carol")) }, tooLittle(0)],
        ["another order", { instructions: [memoOf(ID)], tokens: tokens("140") }, foreign],
        ["data of another program", { instructions: [program], tokens: tokens("140") }, foreign],
        [
          "late",
          { instructions: memos, tokens: tokens("140"), blockTime: 2_000_000_001 },
          "Transaction executed after deadline: 2000000000",
        ],
        ["failing", { instructions: memos, tokens: tokens("140"), error: "x" }, "Transaction failed: {tx}"],
      ];
      await expectUnfilled(cases.map(([name, transaction, message]) => [add(name, transaction), message]));
      await expectUnfilled([[signatureOf("missing"), "Missing transaction: {tx}"]]);
    });

    it("rejects transactions that also name another order, in several memos or without a separator", async () => {
      const { orderId, expectUnfilled } = await place();
      const named = [[orderId, ID].map(memoOf), [ID, orderId].map(memoOf), [memoOf(`${orderId}0x${ID.slice(2)}`)]];
      const message = `Ambiguous transaction {tx}: it could be of order ${orderId} or of order ${ID}, and counts once`;
      await expectUnfilled(
        named.map((memos, index) => [add(`two ${index}`, { instructions: memos, tokens: tokens("140") }), message]),
      );
    });

    it("rejects the order's own deposit as a payment of the order", async () => {
      const { orderId, fill, refund } = await place();
      const deposit = add("own deposit", {
        instructions: [depositOf("deposit_token", alice, 60n, orderId), memoOf(orderId)],
        tokens: tokens("200"),
      });
      const message =
        `Ambiguous transaction ${deposit} to ${DEPOSITORY}: it could be a deposit into that depository ` +
        "or a payment of an order, and counts once";
      await expectRejection(fill(deposit), message);
      await expectRejection(refund(deposit), message);
    });

    it("rejects a withdrawal of the recipient, to which anyone can add a memo", async () => {
      const { orderId, fill } = await place();
      const selector = createHash("sha256").update("global:execute_transfer").digest().subarray(0, 8);
      const data = concatBytes([selector, new Uint8Array(99)]);
      const withdrawal = { program: DEPOSITORY, accounts: [VAULT, bob], data };
      const other = { program: SECOND, accounts: [VAULT, bob], data };
      for (const nested of [[], [withdrawal], [other]]) {
        const id = add(`withdrawal ${nested[0]?.program}`, {
          instructions: [...(nested.length === 0 ? [withdrawal] : []), memoOf(orderId)],
          inner: [nested],
          tokens: tokens("140"),
        });
        const message =
          `Ambiguous transaction ${id}: it could be a withdrawal from ${nested[0]?.program ?? DEPOSITORY} ` +
          `or a payment of order ${orderId}, and counts once`;
        await expectRejection(fill(id), message);
      }
    });

    it("fails for orders with calls, which Solana does not support", async () => {
      const { orderId, fill } = await place({}, (order) => ({
        ...order,
        output: { ...order.output, calls: ["0x12"] },
      }));
      const noted = add("with calls", { instructions: [memoOf(orderId)], tokens: tokens("140") });
      expect(await fill(noted)).to.deep.equal(INTERNAL_ERROR);
    });

    it("attests a refund in a token, and rejects a refund below the deposited amount", async () => {
      const { orderId, refund } = await place();
      const [short, whole] = ["159", "160"].map((after) =>
        add(`refund ${after}`, { instructions: [memoOf(orderId)], tokens: tokens(after) }),
      ) as [string, string];
      await expectRejection(
        refund(short),
        "Insufficient refund amount for order input payment 0 (paidAmount=59, minimumAmount=60)",
      );
      expect((await refund(whole)).status).to.equal(200);
    });

    it("fails if a balance is too large for the node to report exactly", async () => {
      const { orderId, fill } = await place({ currency: SYSTEM });
      const lamports = { [bob]: [2 ** 60, 2 ** 60 + 1024] as const };
      expect(await fill(add("whale", { instructions: [memoOf(orderId)], lamports }))).to.deep.equal(INTERNAL_ERROR);
    });
  });

  describe("with unreliable endpoints", () => {
    it("falls back to the next endpoint, and fails if all endpoints are down", async () => {
      const down = { ...options, httpRpcUrl: "http://127.0.0.1:1" };
      await using both = await startFamilyOracle({ chain: { ...down, additionalData: { rpcUrls: [node.url] } } });
      const signature = add("failover", { instructions });
      expect((await deposits(signature, both)).status).to.equal(200);
      expect(await rpcFailures(both)).to.deep.equal([
        `oracle_rpc_failures_total{chain="solana",endpoint="127.0.0.1:1",failure="unreachable"} 1`,
      ]);
      await using alone = await startFamilyOracle({ chain: down });
      expect(await deposits(signature, alone)).to.deep.equal(INTERNAL_ERROR);
    });

    it("rejects a response about another transaction, and a response that is not a transaction", async () => {
      for (const [name, shape] of [
        ["foreign", transactionShape(signatureOf("other"), { instructions })],
        ["empty", {}],
        ["unnamed", { ...transactionShape(signatureOf("unnamed"), { instructions }), slot: "1" }],
      ] as const) {
        chain.transactions.set(signatureOf(name), shape);
        expect(await deposits(signatureOf(name))).to.deep.equal(INTERNAL_ERROR);
      }
    });

    it("attests nothing that only one of several endpoints reports", async () => {
      const liar = await startRecordedServer(
        jsonRpc((_method, [signature]) =>
          transactionShape(signature as string, { instructions: [depositOf("deposit_native", bob, 10n ** 9n, ID)] }),
        ),
      );
      await using agreeing = await startFamilyOracle({
        chain: { ...options, httpRpcUrl: liar.url, additionalData: { rpcUrls: [node.url], rpcAgreement: 2 } },
      });
      expect(await deposits(add("disputed", { instructions }), agreeing)).to.deep.equal(INTERNAL_ERROR);
      expect(await rpcFailures(agreeing)).to.have.length(2);
      liar.close();
    });
  });
});
