import { createHash } from "node:crypto";

import { expect } from "chai";
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  numberToHex,
  pad,
  zeroHash,
} from "viem";

import { routerAbi } from "../../../packages/protocol/src/abi/router.generated.ts";
import { OracleConfigurationError } from "../../../packages/oracle/src/config/configurationError.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { encodeOrderCall } from "../../../packages/protocol/src/index.ts";
import {
  expectRefused,
  type FamilyOrder,
  familyOrder,
  familyOrderId,
  familyRoutes,
  INTERNAL_ERROR,
  SOLVER_CHAIN,
  solver,
  startFamilyOracle,
} from "./support/familyOracle.ts";
import {
  jsonRpc,
  type RecordedAnswer,
  type RecordedCall,
  type RecordedServer,
  startRecordedServer,
} from "./support/recordedServer.ts";
import {
  alice,
  bob,
  depository,
  encode,
  movement,
  NATIVE,
  nativeDeposit,
  nativePayment,
  type Party,
  router,
  type Sent,
  token,
  tokenDeposit,
  walletTransaction,
} from "./support/tronShapes.ts";
import { aliasOf, creditedOf, expectExecution, idOf, mintOf, tokenOf, transferOf } from "./support/vectors.ts";

const CHAIN = "tron";
const TIME = 1_790_000_000;
const LATEST = 70_000_100;
const ID: Hex = `0x${"c1".repeat(32)}`;

describe("the oracle on Tron", () => {
  const transactions = new Map<string, Sent>();
  let node: RecordedServer;
  let oracle: Oracle;
  const { deposits, fill, refund } = familyRoutes(() => oracle, CHAIN);

  const blockOf = (number: number): Hex => `0x${createHash("sha256").update(`block ${number}`).digest("hex")}`;
  const answerRpc = jsonRpc((method, [first]) => {
    if (method === "eth_getBlockByNumber" && first !== "latest") {
      const included = [...transactions.values()].find(({ block }) => block === Number(first));
      return { hash: blockOf(Number(first)), number: first, timestamp: numberToHex(included?.time ?? TIME) };
    }
    if (method === "eth_getBlockByNumber") {
      return { hash: pad("0x77"), number: numberToHex(LATEST), timestamp: numberToHex(TIME + 60) };
    }
    const hash = first as string;
    const sent = transactions.get(hash);
    if (sent === undefined) return null;
    const { logs = [], to = router, input = "0x", transfer, block = 0, isReverted = false } = sent;
    if (method === "eth_getTransactionByHash") {
      return { hash, to: (transfer?.to ?? to).evm, value: numberToHex(transfer?.amount ?? 0), input, type: "0x0" };
    }
    return {
      transactionHash: hash,
      blockHash: blockOf(block),
      blockNumber: numberToHex(block),
      status: isReverted ? "0x0" : "0x1",
      to: router.evm,
      logs: logs.map((log, index) => ({ ...log, logIndex: numberToHex(index + 7) })),
    };
  });

  const answer = (call: RecordedCall): RecordedAnswer => {
    if (call.path === "/jsonrpc") return answerRpc(call);
    expect([call.method, call.path]).to.deep.equal(["POST", "/wallet/gettransactionbyid"]);
    const { value } = JSON.parse(call.body) as { value: string };
    const sent = transactions.get(`0x${value}`);
    return { body: sent === undefined ? {} : walletTransaction(value, sent) };
  };

  before(async () => {
    node = await startRecordedServer(answer);
    const httpRpcUrl = `${node.url}/jsonrpc`;
    oracle = await startFamilyOracle({
      chain: { id: CHAIN, vmType: "tron-vm", httpRpcUrl, depository: depository.text },
    });
  });
  after(async () => {
    await oracle.close();
    node.close();
  });

  /** Adds a transaction to the chain; ids have no 0x prefix. */
  function happen(sent: Sent): string {
    const id = createHash("sha256").update(`transaction ${transactions.size}`).digest("hex");
    // Each in its own block, unless the test names one.
    transactions.set(`0x${id}`, { block: LATEST - 20 - transactions.size, ...sent });
    return id;
  }

  interface Expected {
    readonly index: number;
    readonly id: Hex;
    readonly depositor: Party;
    readonly currency: string;
    readonly amount: bigint;
  }

  async function expectDeposits(transactionId: string, expected: readonly Expected[]): Promise<void> {
    const { status, body } = await deposits(transactionId);
    expect({ status, messages: body.messages }).to.deep.equal({
      status: 200,
      messages: expected.map(({ index, id, depositor, currency, amount }) => ({
        data: { chainId: CHAIN, transactionId },
        result: {
          onchainId: idOf(CHAIN, transactionId, index),
          depository: depository.text,
          currency,
          depositor: depositor.text,
          amount: amount.toString(),
          depositId: id,
        },
        extraData: { timestamp: TIME.toString() },
      })),
    });
    await expectExecution(
      body.execution,
      idOf(CHAIN, transactionId),
      expected.map(({ id, depositor, currency, amount }) =>
        mintOf(creditedOf(CHAIN, depositor.bytes, TIME, id), tokenOf(CHAIN, encode(currency)), amount),
      ),
    );
  }

  it("reports native and token deposits of one transaction, with and without ids", async () => {
    const id = happen({
      logs: [
        nativeDeposit(alice, 5n, ID),
        movement(router, depository, 8n),
        tokenDeposit(bob, 8n, ID),
        movement(alice, depository, 9n),
        nativeDeposit(bob, 6n, zeroHash),
      ],
    });
    await expectDeposits(id, [
      { index: 7, id: ID, depositor: alice, currency: NATIVE, amount: 5n },
      { index: 8, id: ID, depositor: bob, currency: token.text, amount: 8n },
      { index: 10, id: zeroHash, depositor: alice, currency: token.text, amount: 9n },
      { index: 11, id: zeroHash, depositor: bob, currency: NATIVE, amount: 6n },
    ]);
  });

  it("reads the id of a plain transfer after its call data", async () => {
    const args = [depository.evm, 8n] as const;
    const call = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args });
    const logs = [movement(alice, depository, 8n)];
    const [small, none] = [pad("0x05"), zeroHash];
    for (const [sent, found] of [
      [{ to: token, input: concat([call, ID]) }, ID],
      [{ to: token, input: concat([call, small]) }, none],
      [{ to: token, input: call, memo: ID.slice(2) }, none],
      [{ input: concat([call, ID]) }, ID],
      [{ input: concat(["0x12345678", call, ID]) }, none],
    ] as const) {
      const id = happen({ logs, ...sent });
      await expectDeposits(id, [{ index: 7, id: found, depositor: alice, currency: token.text, amount: 8n }]);
    }
  });

  it("is rejected for transactions that are missing, reverted or not final, and for ids with 0x", async () => {
    const missing = "ee".repeat(32);
    await expectRefused(deposits(missing), `Missing transaction ${missing} on chain ${CHAIN}`);
    const reverted = happen({ isReverted: true });
    await expectRefused(deposits(reverted), `Reverted transaction ${reverted} on chain ${CHAIN}`);
    for (const sent of [{ block: LATEST - 9 }, { time: TIME + 1 }]) {
      const id = happen({ logs: [nativeDeposit(alice, 5n, ID)], ...sent });
      await expectRefused(deposits(id), `Transaction ${id} is not finalized`);
    }
    const id = happen({ logs: [nativeDeposit(alice, 5n, ID)] });
    for (const spelled of [`0x${id}`, `0X${id}`]) {
      await expectRefused(deposits(spelled), `Transaction ${spelled} must be written without 0x`);
    }
    const reason = "it is not a transaction hash of 32 bytes, without 0x";
    await expectRefused(deposits("12"), `transactionId is "0x12": ${reason}`);
  });

  it("fails if the node is down, and rejects the receipt of another transaction", async () => {
    const chain = { id: CHAIN, vmType: "tron-vm", depository: depository.text } as const;
    await using alone = await startFamilyOracle({ chain: { ...chain, httpRpcUrl: "http://127.0.0.1:1" } });
    const id = happen({ logs: [nativeDeposit(alice, 5n, ID)] });
    expect(await deposits(id, alone)).to.deep.equal(INTERNAL_ERROR);
    const liar = await startRecordedServer((call) => answer({ ...call, body: call.body.replace("ee".repeat(32), id) }));
    await using fooled = await startFamilyOracle({ chain: { ...chain, httpRpcUrl: `${liar.url}/jsonrpc` } });
    expect(await deposits("ee".repeat(32), fooled)).to.deep.equal(INTERNAL_ERROR);
    liar.close();
  });

  describe("of a solver", () => {
    /** Creates an order, and the deposit that pays it. */
    function pay(change: Partial<FamilyOrder> = {}) {
      const made = familyOrder({
        chainId: CHAIN,
        currency: NATIVE,
        recipient: bob.text,
        amount: "40",
        salt: transactions.size,
        ...change,
      });
      const extraData = encodeAbiParameters([{ type: "address" }], [router.evm]);
      const order = { ...made, output: { ...made.output, extraData } };
      const inputs = order.inputs.map((input) => ({
        ...input,
        refunds: input.refunds.map((other) => ({ ...other, extraData })),
      }));
      const whole = { ...order, inputs };
      const orderId = familyOrderId(whole, encode);
      const transactionId = happen({ logs: [nativeDeposit(alice, 60n, orderId)] });
      return { order: whole, orderId, paidBy: { transactionId, onchainId: idOf(CHAIN, transactionId, 7) } };
    }

    const multicall = (orderId: Hex): Hex => concat(["0x12345678", orderId]);

    it("reports fills in the native currency and in a token", async () => {
      const { order, orderId, paidBy } = pay();
      const native = happen({ logs: [nativePayment(bob, 15n), nativePayment(bob, 25n)], input: multicall(orderId) });
      const { status, body } = await fill(order, orderId, paidBy, native);
      expect({ status, result: body.message.result }).to.deep.equal({
        status: 200,
        result: { orderId, status: 1, totalWeightedInputPaymentBpsDiff: (5n * 10n ** 17n).toString() },
      });
      const [nativeToken, solverAlias] = [tokenOf(CHAIN, encode(NATIVE)), aliasOf(SOLVER_CHAIN, lower(solver.address))];
      await expectExecution(body.execution, idOf(idOf(paidBy.onchainId), orderId), [
        transferOf(creditedOf(CHAIN, alice.bytes, TIME, orderId), solverAlias, nativeToken, 60n),
        transferOf(solverAlias, aliasOf(CHAIN, bob.bytes), nativeToken, 3n),
      ]);

      const inToken = pay({ currency: token.text });
      const { order: paid, orderId: id } = inToken;
      const deposit = happen({ logs: [movement(alice, depository, 60n), tokenDeposit(alice, 60n, id)] });
      const by = { transactionId: deposit, onchainId: idOf(CHAIN, deposit, 7) };
      const sent = happen({ logs: [movement(alice, bob, 40n)], input: multicall(id) });
      expect((await fill(paid, id, by, sent)).status).to.equal(200);
    });

    /** Pays the recipient of an order from the solver's account. */
    const send = (amount: number, memo: string | undefined, type = "TransferContract"): string =>
      happen({ transfer: { type, to: bob, amount }, ...(memo === undefined ? {} : { memo }) });

    it("reports fills and refunds whose memo is the order id", async () => {
      const { order, orderId, paidBy } = pay();
      const memo = orderId.slice(2);
      const { status, body } = await fill(order, orderId, paidBy, send(40, memo));
      expect({ status, result: body.message.result }).to.deep.equal({
        status: 200,
        result: { orderId, status: 1, totalWeightedInputPaymentBpsDiff: (5n * 10n ** 17n).toString() },
      });
      const refunded = await refund(order, orderId, paidBy, send(60, memo.toUpperCase()));
      expect({ status: refunded.status, actions: refunded.body.execution?.actions.length }).to.deep.equal({
        status: 200,
        actions: 1,
      });

      const { order: inToken, orderId: id } = pay({ currency: token.text });
      const deposit = happen({ logs: [movement(alice, depository, 60n), tokenDeposit(alice, 60n, id)] });
      const by = { transactionId: deposit, onchainId: idOf(CHAIN, deposit, 7) };
      const args = [bob.evm, 40n] as const;
      const input = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args });
      const sent = happen({ logs: [movement(alice, bob, 40n)], to: token, input, memo: id.slice(2) });
      expect((await fill(inToken, id, by, sent)).status).to.equal(200);
    });

    it("is rejected for a memo of another order, other assets and unknown transactions", async () => {
      const { order, orderId, paidBy } = pay();
      const memo = orderId.slice(2);
      const short = (paid: number) =>
        `Insufficient fill amount for order output payment 0 (paidAmount=${paid}, minimumAmount=40)`;
      const foreign = "Transaction {tx} does not reference order id";
      for (const [id, message] of [
        [send(39, memo), short(39)],
        [send(40, memo, "TransferAssetContract"), short(0)],
        [send(40, undefined), foreign],
        [send(40, ID.slice(2)), foreign],
        [send(40, Buffer.from(orderId).toString("hex")), foreign],
        // One transaction fills one order only.
        [happen({ logs: [nativePayment(bob, 40n)], input: multicall(orderId), memo: ID.slice(2) }), foreign],
      ] as const) {
        await expectRefused(fill(order, orderId, paidBy, id), message.replace("{tx}", id));
      }
      const late = pay({ deadline: TIME - 1 });
      const id = send(40, late.orderId.slice(2));
      await expectRefused(fill(late.order, late.orderId, late.paidBy, id), `Transaction ${id} executed after deadline`);
      const fresh = happen({ transfer: { type: "TransferContract", to: bob, amount: 40 }, memo, block: LATEST - 9 });
      await expectRefused(fill(order, orderId, paidBy, fresh), `Transaction ${fresh} is not finalized`);
    });

    it("is rejected or fails if the nodes' API does not have the transaction, or no API is there", async () => {
      const { order, orderId, paidBy } = pay();
      const id = send(40, orderId.slice(2));
      const missing = { status: 400, body: { message: `Missing transaction ${id} on chain ${CHAIN}` } };
      const another = happen({ transfer: { type: "TransferContract", to: bob, amount: 40 }, memo: orderId.slice(2) });
      const inexact = { transfer: { type: "TransferContract", to: bob, amount: 2 ** 53 }, memo: orderId.slice(2) };
      for (const [walletAnswer, expected] of [
        [{ body: {} }, missing],
        [{ status: 404, body: "Not Found" }, INTERNAL_ERROR],
        [{ body: { Error: "class java.lang.NullPointerException : null" } }, INTERNAL_ERROR],
        [{ body: walletTransaction(another, transactions.get(`0x${another}`)!) }, INTERNAL_ERROR],
        [{ body: walletTransaction(id, inexact) }, INTERNAL_ERROR],
      ] as const) {
        const odd = await startRecordedServer((call) => (call.path === "/jsonrpc" ? answer(call) : walletAnswer));
        const chain = { id: CHAIN, vmType: "tron-vm", depository: depository.text } as const;
        await using asked = await startFamilyOracle({ chain: { ...chain, httpRpcUrl: `${odd.url}/jsonrpc` } });
        const { fill: fillOf } = familyRoutes(() => asked, CHAIN);
        expect(await fillOf(order, orderId, paidBy, id)).to.deep.equal(expected);
        odd.close();
      }
    });

    it("requires agreement on memos, and reads none from endpoints with JSON-RPC only", async () => {
      const { order, orderId, paidBy } = pay();
      const id = send(40, orderId.slice(2));
      const other = happen({ logs: [nativePayment(bob, 40n)], input: multicall(orderId) });
      const honest = await startRecordedServer(answer);
      const liar = await startRecordedServer((call) =>
        call.path === "/jsonrpc" ? answer(call) : { body: walletTransaction(id, transactions.get(`0x${other}`)!) },
      );
      const plain = await startRecordedServer(answerRpc);
      const chain = { id: CHAIN, vmType: "tron-vm", depository: depository.text } as const;
      const statusesOf = async (urls: readonly [string, ...string[]], rpcAgreement: number) => {
        const [httpRpcUrl, ...rpcUrls] = urls;
        const additionalData = { rpcUrls, rpcAgreement };
        await using asked = await startFamilyOracle({ chain: { ...chain, httpRpcUrl, additionalData } });
        const { fill: fillOf } = familyRoutes(() => asked, CHAIN);
        const memo = await fillOf(order, orderId, paidBy, id);
        return [memo.status, (await fillOf(order, orderId, paidBy, other)).status];
      };
      const [first, third] = [`${node.url}/jsonrpc`, `${liar.url}/jsonrpc`];
      try {
        expect(await statusesOf([first, `${honest.url}/jsonrpc`], 2)).to.deep.equal([200, 200]);
        expect((await statusesOf([first, third], 2))[0]).to.equal(500);
        expect(await statusesOf([plain.url, first], 1)).to.deep.equal([200, 200]);
        expect(await statusesOf([first, `${first}/`], 2).catch((error: unknown) => error)).to.be.instanceOf(
          OracleConfigurationError,
        );
        expect(await statusesOf([plain.url], 1)).to.deep.equal([400, 200]);
      } finally {
        for (const server of [honest, liar, plain]) server.close();
      }
    });

    it("is rejected for the wrong amount, recipient, order or time", async () => {
      const { order, orderId, paidBy } = pay();
      const short = (paid: number) =>
        `Insufficient fill amount for order output payment 0 (paidAmount=${paid}, minimumAmount=40)`;
      const late = TIME + 10 ** 9;
      const input = multicall(orderId);
      for (const [sent, message] of [
        [{ logs: [nativePayment(bob, 39n)], input }, short(39)],
        [{ logs: [nativePayment(alice, 40n)], input }, short(0)],
        [{ logs: [movement(alice, bob, 40n)], input }, short(0)],
        [{ logs: [{ ...nativePayment(bob, 40n), address: token.evm }], input }, short(0)],
        [{ logs: [nativePayment(bob, 40n)], input: multicall(ID) }, "Transaction {tx} does not reference order id"],
        [{ logs: [nativePayment(bob, 40n)], input, time: late }, "Transaction {tx} is not finalized"],
        [{ isReverted: true }, `Reverted transaction {tx} on chain ${CHAIN}`],
      ] as const) {
        const id = happen(sent);
        await expectRefused(fill(order, orderId, paidBy, id), message.replace("{tx}", id));
      }
      const hasty = pay({ deadline: TIME - 1 });
      const id = happen({ logs: [nativePayment(bob, 40n)], input: multicall(hasty.orderId) });
      const { order: other, orderId: otherId, paidBy: otherPaid } = hasty;
      await expectRefused(fill(other, otherId, otherPaid, id), `Transaction ${id} executed after deadline`);
    });

    it("fails for calls, which are supported on EVM chains only", async () => {
      const { order } = pay();
      const withCalls = {
        ...order,
        output: { ...order.output, calls: [encodeOrderCall({ to: token.evm, data: "0x12", value: "0" })] },
      };
      const orderId = familyOrderId(withCalls, encode);
      const transactionId = happen({ logs: [nativeDeposit(alice, 60n, orderId)] });
      const paidBy = { transactionId, onchainId: idOf(CHAIN, transactionId, 7) };
      const made = encodeAbiParameters(
        [{ type: "address" }, { type: "bytes" }, { type: "uint256" }],
        [token.evm, "0x12", 0n],
      );
      const topics = encodeEventTopics({ abi: routerAbi, eventName: "SolverCallExecuted" });
      const logs = [nativePayment(bob, 40n), { address: router.evm, topics, data: made }];
      const id = happen({ logs, input: multicall(orderId) });
      expect(await fill(withCalls, orderId, paidBy, id)).to.deep.equal(INTERNAL_ERROR);
    });

    it("attests a refund, and rejects one below the deposited amount", async () => {
      const { order, orderId, paidBy } = pay();
      const short = happen({ logs: [nativePayment(bob, 59n)], input: multicall(orderId) });
      await expectRefused(
        refund(order, orderId, paidBy, short),
        "Insufficient refund amount for order input payment 0 (paidAmount=59, minimumAmount=60)",
      );
      const whole = happen({ logs: [nativePayment(bob, 60n)], input: multicall(orderId) });
      const { status, body } = await refund(order, orderId, paidBy, whole);
      expect({ status, actions: body.execution?.actions.length }).to.deep.equal({ status: 200, actions: 1 });
    });
  });

  function lower(address: Address): Hex {
    return address.toLowerCase() as Hex;
  }
});
