import { expect } from "chai";
import {
  concat,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  pad,
  zeroHash,
} from "viem";

import { encodeOrderCall } from "../../../packages/protocol/src/index.ts";
import { OracleConfigurationError } from "../../../packages/oracle/src/config/environment.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import {
  expectRejection,
  familySuite,
  INTERNAL_ERROR,
  startFamilyOracle,
  TIME,
  tooLittle,
} from "./support/familyOracle.ts";
import {
  jsonRpc,
  type RecordedResponse,
  type RecordedCall,
  type RecordedServer,
  startRecordedServer,
} from "./support/recordedServer.ts";
import {
  alice,
  bob,
  depository,
  encode,
  LATEST,
  movement,
  NATIVE,
  nativeDeposit,
  nativePayment,
  router,
  type Sent,
  token,
  tokenDeposit,
  TronChain,
  walletTransaction,
} from "./support/tronShapes.ts";
import { encodeFillContract } from "../../../packages/protocol/src/order/index.ts";
import { routerAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

const CHAIN = "tron";
const ID: Hex = `0x${"c1".repeat(32)}`;
const MISSING = "ee".repeat(32);
const FOREIGN = "Transaction {tx} does not reference order id";

/** Returns call data that ends with an order's id. */
const multicall = (orderId: Hex): Hex => concat(["0x12345678", orderId]);

describe("the oracle on Tron", () => {
  const chain = new TronChain();
  const add = chain.add.bind(chain);
  let node: RecordedServer;
  let oracle: Oracle;
  const extraData = encodeFillContract(router.evm);
  const { deposits, expectDeposits, place } = familySuite({
    order: { chainId: CHAIN, currency: NATIVE, recipient: bob.text },
    depository: depository.text,
    encode,
    index: 7,
    deposit: (orderId, { inputs: [input] }) =>
      input?.payment.currency === NATIVE
        ? add({ logs: [nativeDeposit(alice, 60n, orderId)] })
        : add({ logs: [movement(alice, depository, 60n), tokenDeposit(alice, 60n, orderId)] }),
    oracle: () => oracle,
    change: (order) => ({
      ...order,
      inputs: order.inputs.map(({ payment, refunds }) => ({
        payment,
        refunds: refunds.map((refund) => ({ ...refund, extraData })),
      })),
      output: { ...order.output, extraData },
    }),
  });

  /** Starts an oracle with other endpoints. */
  const startAt = (httpRpcUrl: string, additionalData: object = {}): Promise<Oracle> =>
    startFamilyOracle({
      chain: { id: CHAIN, vmType: "tron-vm", depository: depository.text, httpRpcUrl, additionalData },
    });
  const startServer = async (answer: (call: RecordedCall) => RecordedResponse) => {
    const server = await startRecordedServer(answer);
    return { ...server, rpcUrl: `${server.url}/jsonrpc`, [Symbol.dispose]: () => server.close() };
  };

  before(async () => {
    node = await startRecordedServer(chain.answer);
    oracle = await startAt(`${node.url}/jsonrpc`);
  });
  after(async () => {
    await oracle.close();
    node.close();
  });

  it("reports token deposits by other depositors, with and without an event", async () => {
    const id = add({
      logs: [
        movement(router, depository, 8n),
        tokenDeposit(bob, 8n, ID),
        movement(alice, depository, 9n),
        nativeDeposit(bob, 6n, zeroHash),
      ],
    });
    await expectDeposits(id, [
      { index: 7, id: ID, depositor: bob.text, currency: token.text, amount: 8n },
      { index: 9, id: zeroHash, depositor: alice.text, currency: token.text, amount: 9n },
      { index: 10, id: zeroHash, depositor: bob.text, amount: 6n },
    ]);
  });

  it("reads the deposit id appended to a plain transfer's call data", async () => {
    const args = [depository.evm, 8n] as const;
    const call = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args });
    for (const [sent, id] of [
      [{ to: token, input: concat([call, ID]) }, ID],
      [{ to: token, input: concat([call, pad("0x05")]) }, zeroHash],
      [{ to: token, input: call, memo: ID.slice(2) }, zeroHash],
      [{ input: concat([call, ID]) }, ID],
      [{ input: concat(["0x12345678", call, ID]) }, zeroHash],
    ] as const) {
      const transactionId = add({ logs: [movement(alice, depository, 8n)], ...sent });
      await expectDeposits(transactionId, [{ index: 7, id, depositor: alice.text, currency: token.text, amount: 8n }]);
    }
  });

  it("rejects transactions that are not final, and ids with 0x", async () => {
    const logs = [nativeDeposit(alice, 5n, ID)];
    for (const id of [add({ logs, block: LATEST - 9 }), add({ logs, time: TIME + 1 })]) {
      await expectRejection(deposits(id), `Transaction ${id} is not finalized`);
    }
    const id = add({ logs });
    for (const spelled of [`0x${id}`, `0X${id}`]) {
      await expectRejection(deposits(spelled), `Transaction ${spelled} must be written without 0x`);
    }
    await expectRejection(deposits("12"), 'transactionId "0x12" is not a transaction hash of 32 bytes, without 0x');
  });

  it("fails if the node is down, and rejects the receipt of another transaction", async () => {
    await using alone = await startAt("http://127.0.0.1:1");
    const id = add({ logs: [nativeDeposit(alice, 5n, ID)] });
    expect(await deposits(id, alone)).to.deep.equal(INTERNAL_ERROR);
    using liar = await startServer((call) => chain.answer({ ...call, body: call.body.replace(MISSING, id) }));
    await using fooled = await startAt(liar.rpcUrl);
    expect(await deposits(MISSING, fooled)).to.deep.equal(INTERNAL_ERROR);
  });

  describe("for a solver", () => {
    /** Pays the recipient of an order from the solver's account. */
    const send = (amount: number, memo: string | undefined, type = "TransferContract"): string =>
      add({ transfer: { type, to: bob, amount }, ...(memo === undefined ? {} : { memo }) });

    it("rejects a refund by the order's own deposit, which also pays the depositor", async () => {
      const { orderId, refund } = await place({ currency: token.text });
      const args = [depository.evm, 60n] as const;
      const call = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args });
      const swapped = [movement(router, bob, 60n), movement(bob, depository, 60n)];
      for (const [logs, input] of [
        [[...swapped, tokenDeposit(bob, 60n, orderId)], multicall(orderId)],
        [swapped, concat([call, orderId])],
      ] as const) {
        const id = add({ logs, input });
        const message =
          `Ambiguous transaction ${id} to ${depository.text}: it could be a deposit into that depository ` +
          "or a payment of an order, and counts once";
        await expectRejection(refund(id), message);
      }
    });

    it("counts fill contract and token events if the input or a memo names the order", async () => {
      const native = await place();
      const logs = [nativePayment(bob, 15n), nativePayment(bob, 25n)];
      expect((await native.fill(add({ logs, input: multicall(native.orderId) }))).status).to.equal(200);
      const back = { logs: [nativePayment(bob, 60n)], input: multicall(native.orderId) };
      expect((await native.refund(add(back))).status).to.equal(200);
      const byMemo = await place();
      expect((await byMemo.refund(send(60, byMemo.orderId.slice(2).toUpperCase()))).status).to.equal(200);
      const args = [bob.evm, 40n] as const;
      const input = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args });
      for (const naming of [
        (id: Hex): Sent => ({ input: multicall(id) }),
        (id: Hex): Sent => ({ to: token, input, memo: id.slice(2) }),
      ]) {
        const inToken = await place({ currency: token.text });
        const paid = add({ logs: [movement(alice, bob, 40n)], ...naming(inToken.orderId) });
        expect((await inToken.fill(paid)).status).to.equal(200);
      }
    });

    it("rejects fills with the wrong amount, asset, recipient, order or time", async () => {
      const { orderId, expectUnfilled } = await place();
      const [memo, input] = [orderId.slice(2), multicall(orderId)];
      const paid = [nativePayment(bob, 40n)];
      await expectUnfilled([
        [send(39, memo), tooLittle(39)],
        [send(40, memo, "TransferAssetContract"), tooLittle(0)],
        [send(40, undefined), FOREIGN],
        [send(40, ID.slice(2)), FOREIGN],
        [send(40, Buffer.from(orderId).toString("hex")), FOREIGN],
        // Each transaction fills only one order.
        [add({ logs: paid, input, memo: ID.slice(2) }), FOREIGN],
        [add({ logs: paid, input: multicall(ID) }), FOREIGN],
        [add({ logs: [nativePayment(bob, 39n)], input }), tooLittle(39)],
        [add({ logs: [nativePayment(alice, 40n)], input }), tooLittle(0)],
        [add({ logs: [movement(alice, bob, 40n)], input }), tooLittle(0)],
        [add({ logs: [{ ...paid[0]!, address: token.evm }], input }), tooLittle(0)],
        [add({ logs: paid, input, time: TIME + 10 ** 9 }), "Transaction {tx} is not finalized"],
        [
          add({ transfer: { type: "TransferContract", to: bob, amount: 40 }, memo, block: LATEST - 9 }),
          "Transaction {tx} is not finalized",
        ],
        [add({ isReverted: true }), `Reverted transaction {tx} on chain ${CHAIN}`],
      ]);
      const late = await place({ deadline: TIME - 1 });
      for (const id of [send(40, late.orderId.slice(2)), add({ logs: paid, input: multicall(late.orderId) })]) {
        await late.expectUnfilled([[id, "Transaction {tx} executed after deadline"]]);
      }
    });

    it("rejects a transaction that is missing from the nodes' API, and fails if the API's response is invalid", async () => {
      const { orderId, fill } = await place();
      const memo = orderId.slice(2);
      const [id, another] = [send(40, memo), send(40, memo)];
      const missing = { status: 400, body: { message: `Missing transaction ${id} on chain ${CHAIN}` } };
      const inexact = { transfer: { type: "TransferContract", to: bob, amount: 2 ** 53 }, memo };
      for (const [response, expected] of [
        [{ body: {} }, missing],
        [{ status: 404, body: "Not Found" }, INTERNAL_ERROR],
        [{ body: { Error: "class java.lang.NullPointerException : null" } }, INTERNAL_ERROR],
        [{ body: chain.answerWallet(another) }, INTERNAL_ERROR],
        [{ body: walletTransaction(id, inexact) }, INTERNAL_ERROR],
      ] as const) {
        using odd = await startServer((call) => (call.path === "/jsonrpc" ? chain.answer(call) : response));
        await using reading = await startAt(odd.rpcUrl);
        expect(await fill(id, {}, reading)).to.deep.equal(expected);
      }
    });

    it("requires agreement on memos, and reads no memos from endpoints that only support JSON-RPC", async () => {
      const { orderId, fill } = await place();
      const id = send(40, orderId.slice(2));
      const other = add({ logs: [nativePayment(bob, 40n)], input: multicall(orderId) });
      using honest = await startServer(chain.answer);
      using liar = await startServer((call) =>
        call.path === "/jsonrpc"
          ? chain.answer(call)
          : { body: walletTransaction(id, chain.transactions.get(`0x${other}`)!) },
      );
      using plain = await startServer(jsonRpc(chain.answerRpc));
      const statusesOf = async ([first, ...rpcUrls]: readonly [string, ...string[]], rpcAgreement: number) => {
        await using reading = await startAt(first, { rpcUrls, rpcAgreement });
        return [(await fill(id, {}, reading)).status, (await fill(other, {}, reading)).status];
      };
      const first = `${node.url}/jsonrpc`;
      expect(await statusesOf([first, honest.rpcUrl], 2)).to.deep.equal([200, 200]);
      expect((await statusesOf([first, liar.rpcUrl], 2))[0]).to.equal(500);
      expect(await statusesOf([plain.url, first], 1)).to.deep.equal([200, 200]);
      expect(await statusesOf([first, `${first}/`], 2).catch((error: unknown) => error)).to.be.instanceOf(
        OracleConfigurationError,
      );
      expect(await statusesOf([plain.url], 1)).to.deep.equal([400, 200]);
    });

    it("fails for orders with calls, which are supported only on EVM chains", async () => {
      const calls = [encodeOrderCall({ to: token.evm, data: "0x12", value: "0" })];
      const { orderId, fill } = await place({}, (order) => ({ ...order, output: { ...order.output, calls } }));
      const data = encodeAbiParameters(
        [{ type: "address" }, { type: "bytes" }, { type: "uint256" }],
        [token.evm, "0x12", 0n],
      );
      const topics = encodeEventTopics({ abi: routerAbi, eventName: "SolverCallExecuted" });
      const logs = [nativePayment(bob, 40n), { address: router.evm, topics, data }];
      expect(await fill(add({ logs, input: multicall(orderId) }))).to.deep.equal(INTERNAL_ERROR);
    });
  });
});
