import { expect } from "chai";
import { type Hex, zeroHash } from "viem";

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
import { jsonRpc, JsonRpcFault, type RecordedServer, startRecordedServer } from "./support/recordedServer.ts";
import {
  COMPUTE_BUDGET,
  DEPOSITORY,
  depositOf,
  encodeKey,
  keyOf,
  memoOf,
  nativeTransferOf,
  signatureOf,
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
import { aliasOf, creditedOf, expectExecution, idOf, mintOf, tokenOf, transferOf } from "./support/vectors.ts";

const CHAIN = "solana";
const TIME = 1_790_000_000;
const ID: Hex = `0x${"c1".repeat(32)}`;
const [alice, bob] = [keyOf("alice"), keyOf("bob")];

describe("the oracle on Solana", () => {
  let node: RecordedServer;
  let oracle: Oracle;
  const transactions = new Map<string, object>();
  const { deposits, fill, refund } = familyRoutes(() => oracle, CHAIN);

  const answer = jsonRpc((method, [first]) => {
    if (method === "getTransaction") return transactions.get(first as string) ?? null;
    if (method === "getSlot") return 300_000_010;
    return method === "getBlockTime" ? TIME + 5 : new JsonRpcFault(-32601, "Method not found");
  });

  before(async () => {
    node = await startRecordedServer(answer);
    const chain = { id: CHAIN, vmType: "solana-vm", httpRpcUrl: node.url, depository: DEPOSITORY } as const;
    oracle = await startFamilyOracle({ chain });
  });
  after(async () => {
    await oracle.close();
    node.close();
  });

  /** Adds a transaction to the chain. */
  function happen(name: string, transaction: TestTransaction): string {
    const signature = signatureOf(name);
    transactions.set(signature, transactionShape(signature, transaction));
    return signature;
  }

  interface Expected {
    readonly index: number;
    readonly id: Hex;
    readonly depositor: string;
    readonly currency: string;
    readonly amount: bigint;
    readonly timestamp?: number;
  }

  /** Checks the whole response against the transaction and the published derivations. */
  async function expectDeposits(transactionId: string, expected: readonly Expected[]): Promise<void> {
    const { status, body } = await deposits(transactionId);
    expect({ status, messages: body.messages }).to.deep.equal({
      status: 200,
      messages: expected.map(({ index, id, depositor, currency, amount, timestamp = TIME }) => ({
        data: { chainId: CHAIN, transactionId },
        result: {
          onchainId: idOf(CHAIN, transactionId, index),
          depository: DEPOSITORY,
          depositor,
          currency,
          amount: amount.toString(),
          depositId: id,
        },
        extraData: { timestamp: timestamp.toString() },
      })),
    });
    await expectExecution(
      body.execution,
      idOf(CHAIN, transactionId),
      expected.map(({ id, depositor, currency, amount, timestamp = TIME }) =>
        mintOf(creditedOf(CHAIN, encodeKey(depositor), timestamp, id), tokenOf(CHAIN, encodeKey(currency)), amount),
      ),
    );
  }

  it("reports deposits with and without an id, including those of other programs, in one transaction", async () => {
    const signature = happen("several", {
      instructions: [
        { program: COMPUTE_BUDGET, accounts: [], data: Uint8Array.of(2, 0, 0, 0, 0) },
        depositOf("deposit_native", alice, 7n, ID),
        { program: keyOf("aggregator"), accounts: [alice], data: Uint8Array.of(1) },
        depositOf("deposit_token", bob, 2n ** 64n - 1n, zeroHash),
      ],
      inner: [[nativeTransferOf(alice, VAULT, 7n)], [depositOf("deposit_token", alice, 9n, ID)]],
    });
    await expectDeposits(signature, [
      { index: 1, id: ID, depositor: alice, currency: SYSTEM, amount: 7n },
      { index: 3, id: zeroHash, depositor: bob, currency: USDC, amount: 2n ** 64n - 1n },
      { index: 5, id: ID, depositor: alice, currency: USDC, amount: 9n },
    ]);
  });

  it("finds accounts that come from lookup tables", async () => {
    const signature = happen("lookup", {
      instructions: [depositOf("deposit_token", alice, 9n, ID)],
      loaded: [VAULT, USDC],
    });
    await expectDeposits(signature, [{ index: 0, id: ID, depositor: alice, currency: USDC, amount: 9n }]);
  });

  it("credits a direct transfer to the vault if the transaction does nothing else", async () => {
    const priority = { program: COMPUTE_BUDGET, accounts: [], data: Uint8Array.of(3, 1, 0, 0, 0, 0, 0, 0, 0) };
    const native = happen("direct", { instructions: [priority, nativeTransferOf(alice, VAULT, 12n)] });
    const direct = { index: 0, id: zeroHash, depositor: alice };
    await expectDeposits(native, [{ ...direct, currency: SYSTEM, amount: 12n }]);
    for (const checked of [true, false]) {
      const signature = happen(`direct token ${checked}`, {
        instructions: [tokenTransferOf({ checked }, { owner: alice, to: VAULT_USDC, amount: 40n })],
        tokens: [{ account: VAULT_USDC, owner: VAULT, before: "5", after: "45" }],
      });
      await expectDeposits(signature, [{ ...direct, currency: USDC, amount: 40n }]);
    }
    const withFee = happen("fee", {
      instructions: [tokenTransferOf({ program: TOKEN_2022 }, { owner: alice, to: VAULT_USDC_2022, amount: 40n })],
      tokens: [{ account: VAULT_USDC_2022, owner: VAULT, after: "39" }],
    });
    await expectDeposits(withFee, [{ ...direct, currency: USDC, amount: 39n }]);
  });

  it("is empty for transactions that deposit nothing, and for those that are missing or not finalized", async () => {
    const nothing = [
      happen("elsewhere", { instructions: [nativeTransferOf(alice, bob, 12n)] }),
      happen("not alone", { instructions: [nativeTransferOf(alice, VAULT, 12n), memoOf("hello")] }),
      // The account holds the token, but is not the vault's.
      happen("other account", {
        instructions: [tokenTransferOf({}, { owner: alice, to: keyOf("other"), amount: 40n })],
        tokens: [{ account: keyOf("other"), owner: VAULT, after: "40" }],
      }),
      happen("no deposit", {
        instructions: [{ program: DEPOSITORY, accounts: [alice, alice, alice], data: new Uint8Array(48) }],
      }),
      happen("other program", {
        instructions: [{ ...depositOf("deposit_native", alice, 7n, ID), program: keyOf("imitation") }],
      }),
      signatureOf("missing"),
    ];
    for (const signature of nothing) {
      expect(await deposits(signature)).to.deep.equal({ status: 200, body: { messages: [] } });
    }
    const asked = node.calls.map(({ body }) => JSON.parse(body) as { params: [string, { commitment: string }] });
    expect(asked.find(({ params }) => params[0] === signatureOf("missing"))?.params[1]).to.deep.equal({
      commitment: "finalized",
      encoding: "json",
      maxSupportedTransactionVersion: 0,
    });
  });

  it("rejects transactions that failed, and for ids of another kind", async () => {
    const failed = happen("failed", {
      instructions: [depositOf("deposit_native", alice, 7n, ID)],
      error: { InstructionError: [0, { Custom: 1 }] },
    });
    await expectRefused(deposits(failed), `Transaction failed: ${failed}`);
    await expectRefused(
      deposits("0x12"),
      'transactionId is "0x12": it is not a base58 transaction signature of 64 bytes',
    );
  });

  it("requests the slot's time if the transaction has none", async () => {
    const signature = happen("timeless", {
      instructions: [depositOf("deposit_native", alice, 7n, ID)],
      blockTime: null,
      slot: 299_999_999,
    });
    const deposit = { index: 0, id: ID, depositor: alice, currency: SYSTEM, amount: 7n };
    await expectDeposits(signature, [{ ...deposit, timestamp: TIME + 5 }]);
  });

  it("reads a finalized transaction once", async () => {
    const signature = happen("once", { instructions: [depositOf("deposit_native", alice, 7n, ID)] });
    const first = await deposits(signature);
    const calls = node.calls.length;
    expect(await deposits(signature)).to.deep.equal(first);
    expect(node.calls).to.have.length(calls);
  });

  it("waits for further slots if it is configured to", async () => {
    const options = { id: CHAIN, vmType: "solana-vm", httpRpcUrl: node.url, depository: DEPOSITORY } as const;
    await using careful = await startFamilyOracle({
      chain: { ...options, additionalData: { finalizationBlocks: 10 } },
    });
    const instructions = [depositOf("deposit_native", alice, 7n, ID)];
    const deep = happen("deep", { instructions, slot: 300_000_000 });
    const shallow = happen("shallow", { instructions, slot: 300_000_001 });
    expect((await deposits(deep, careful)).status).to.equal(200);
    await expectRefused(deposits(shallow, careful), `Transaction ${shallow} is not finalized`);
  });

  describe("of a solver", () => {
    /** Creates an order, and the deposit that pays it. */
    function pay(change: Partial<FamilyOrder> = {}) {
      const order = familyOrder({
        chainId: CHAIN,
        currency: USDC,
        recipient: bob,
        amount: "40",
        salt: transactions.size,
        ...change,
      });
      const orderId = familyOrderId(order, encodeKey);
      const currency = order.inputs[0]?.payment.currency;
      const name = currency === USDC ? "deposit_token" : "deposit_native";
      const transactionId = happen(`pays ${orderId}`, { instructions: [depositOf(name, alice, 60n, orderId)] });
      return { order, orderId, paidBy: { transactionId, onchainId: idOf(CHAIN, transactionId, 0) } };
    }

    const tokens = (after: string, owner = bob) => [
      { account: keyOf("first"), owner, before: "100", after },
      { account: keyOf("mine"), owner: alice, before: "100", after: "60" },
    ];

    it("reports a fill in a token, over all the recipient's accounts", async () => {
      const { order, orderId, paidBy } = pay();
      const transactionId = happen("fill", {
        instructions: [memoOf(`fills ${orderId}`)],
        tokens: [...tokens("130"), { account: keyOf("second"), owner: bob, after: "10" }],
      });
      const { status, body } = await fill(order, orderId, paidBy, transactionId);
      expect({ status, result: body.message.result }).to.deep.equal({
        status: 200,
        result: { orderId, status: 1, totalWeightedInputPaymentBpsDiff: (5n * 10n ** 17n).toString() },
      });
      const token = tokenOf(CHAIN, encodeKey(USDC));
      const solverAlias = aliasOf(SOLVER_CHAIN, solver.address.toLowerCase() as Hex);
      await expectExecution(body.execution, idOf(idOf(paidBy.onchainId), orderId), [
        transferOf(creditedOf(CHAIN, encodeKey(alice), TIME, orderId), solverAlias, token, 60n),
        transferOf(solverAlias, aliasOf(CHAIN, encodeKey(bob)), token, 3n),
      ]);
    });

    it("reports a fill in the native currency, by a memo that another program writes", async () => {
      const { order, orderId, paidBy } = pay({ currency: SYSTEM });
      const transactionId = happen("native fill", {
        instructions: [nativeTransferOf(alice, bob, 40n)],
        inner: [[memoOf(orderId)]],
        lamports: { [bob]: [10, 50] },
      });
      expect((await fill(order, orderId, paidBy, transactionId)).status).to.equal(200);
    });

    it("is rejected for the wrong amount, recipient, order or time, and for failed and missing fills", async () => {
      const { order, orderId, paidBy } = pay();
      const short = (paid: number) =>
        `Insufficient fill amount for order output payment 0 (paidAmount=${paid}, minimumAmount=40)`;
      const instructions = [memoOf(orderId)];
      const cases: [string, TestTransaction, string | ((signature: string) => string)][] = [
        ["one less", { instructions, tokens: tokens("139") }, short(39)],
        ["another recipient", { instructions, tokens: tokens("140", keyOf("carol")) }, short(0)],
        [
          "another order",
          { instructions: [memoOf(ID)], tokens: tokens("140") },
          (tx) => `Transaction ${tx} does not reference order id`,
        ],
        [
          "no note, only data of another program",
          { instructions: [{ ...memoOf(orderId), program: keyOf("other") }], tokens: tokens("140") },
          (tx) => `Transaction ${tx} does not reference order id`,
        ],
        [
          "late",
          { instructions, tokens: tokens("140"), blockTime: 2_000_000_001 },
          "Transaction executed after deadline: 2000000000",
        ],
        ["failing", { instructions, tokens: tokens("140"), error: "x" }, (tx) => `Transaction failed: ${tx}`],
      ];
      for (const [name, transaction, message] of cases) {
        const signature = happen(name, transaction);
        const text = typeof message === "string" ? message : message(signature);
        await expectRefused(fill(order, orderId, paidBy, signature), text);
      }
      const missing = signatureOf("missing");
      await expectRefused(fill(order, orderId, paidBy, missing), `Missing transaction: ${missing}`);
    });

    it("is rejected if the memos name another order too, in one memo or in several", async () => {
      const { order, orderId, paidBy } = pay();
      const both: Hex[][] = [
        [orderId, ID],
        [ID, orderId],
      ];
      const named = [
        ...both.map((ids) => [memoOf(ids.join(" "))]),
        ...both.map((ids) => ids.map(memoOf)),
        [memoOf(`${orderId}0x${ID.slice(2)}`)],
      ];
      for (const [index, instructions] of named.entries()) {
        const transactionId = happen(`two orders ${index}`, { instructions, tokens: tokens("140") });
        await expectRefused(
          fill(order, orderId, paidBy, transactionId),
          `Ambiguous transaction ${transactionId}: it could be of order ${orderId} or of order ${ID}, and counts once`,
        );
      }
      const twice = happen("one order twice", {
        instructions: [memoOf(orderId), memoOf(orderId)],
        tokens: tokens("140"),
      });
      expect((await fill(order, orderId, paidBy, twice)).status).to.equal(200);
    });

    it("fails for calls, which outputs on the chain cannot have", async () => {
      const { order, orderId, paidBy } = pay();
      const transactionId = happen("with calls", { instructions: [memoOf(orderId)], tokens: tokens("140") });
      const withCalls = { ...order, output: { ...order.output, calls: ["0x12"] as Hex[] } };
      const id = familyOrderId(withCalls, encodeKey);
      const deposit = happen(`pays ${id}`, { instructions: [depositOf("deposit_token", alice, 60n, id)] });
      const paid = { transactionId: deposit, onchainId: idOf(CHAIN, deposit, 0) };
      expect((await fill(withCalls, id, paid, transactionId)).status).to.equal(400);
      const noted = happen("with calls noted", { instructions: [memoOf(id)], tokens: tokens("140") });
      expect(await fill(withCalls, id, paid, noted)).to.deep.equal(INTERNAL_ERROR);
      expect((await fill(order, orderId, paidBy, transactionId)).status).to.equal(200);
    });

    it("attests a refund, and rejects one below the deposited amount", async () => {
      const { order, orderId, paidBy } = pay();
      const instructions = [memoOf(orderId)];
      const short = happen("short refund", { instructions, tokens: tokens("159") });
      await expectRefused(
        refund(order, orderId, paidBy, short),
        "Insufficient refund amount for order input payment 0 (paidAmount=59, minimumAmount=60)",
      );
      const whole = happen("refund", { instructions, tokens: tokens("160") });
      const { status, body } = await refund(order, orderId, paidBy, whole);
      expect(status).to.equal(200);
      await expectExecution(body.execution, idOf(idOf(paidBy.onchainId), orderId), [
        transferOf(
          creditedOf(CHAIN, encodeKey(alice), TIME, orderId),
          aliasOf(SOLVER_CHAIN, solver.address.toLowerCase() as Hex),
          tokenOf(CHAIN, encodeKey(USDC)),
          60n,
        ),
      ]);
    });

    it("fails when a balance exceeds the node's exact range", async () => {
      const { order, orderId, paidBy } = pay({ currency: SYSTEM });
      const transactionId = happen("whale", {
        instructions: [memoOf(orderId)],
        lamports: { [bob]: [2 ** 60, 2 ** 60 + 1024] },
      });
      expect(await fill(order, orderId, paidBy, transactionId)).to.deep.equal(INTERNAL_ERROR);
    });
  });

  describe("with unreliable endpoints", () => {
    const chain = { id: CHAIN, vmType: "solana-vm", depository: DEPOSITORY } as const;
    const instructions = [depositOf("deposit_native", alice, 7n, ID)];

    it("falls back to the next endpoint, and fails if all are down", async () => {
      await using oracleOfTwo = await startFamilyOracle({
        chain: { ...chain, httpRpcUrl: "http://127.0.0.1:1", additionalData: { rpcUrls: [node.url] } },
      });
      const signature = happen("failover", { instructions });
      expect((await deposits(signature, oracleOfTwo)).status).to.equal(200);
      expect(await rpcFailures(oracleOfTwo)).to.deep.equal([
        `oracle_rpc_failures_total{chain="solana",endpoint="127.0.0.1:1",failure="unreachable"} 1`,
      ]);
      await using alone = await startFamilyOracle({ chain: { ...chain, httpRpcUrl: "http://127.0.0.1:1" } });
      expect(await deposits(signature, alone)).to.deep.equal(INTERNAL_ERROR);
    });

    it("rejects a response about another transaction, and one that is not a transaction", async () => {
      for (const [name, shape] of [
        ["foreign", transactionShape(signatureOf("other"), { instructions })],
        ["empty", {}],
        ["unnamed", { ...transactionShape(signatureOf("unnamed"), { instructions }), slot: "1" }],
      ] as const) {
        transactions.set(signatureOf(name), shape);
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
        chain: { ...chain, httpRpcUrl: liar.url, additionalData: { rpcUrls: [node.url], rpcAgreement: 2 } },
      });
      const signature = happen("disputed", { instructions });
      expect(await deposits(signature, agreeing)).to.deep.equal(INTERNAL_ERROR);
      expect(await rpcFailures(agreeing)).to.have.length(2);
      liar.close();
    });
  });
});
