import { expect } from "chai";
import { type Address, concat, encodeFunctionData, erc20Abi, type Hex, numberToHex, zeroAddress as native } from "viem";

import { hubAlias, hubTokenId, orderAddress } from "../../../packages/sdk/src/attestation.ts";
import { type Call, encodeOrderCall, hashOrder } from "../../../packages/protocol/src/index.ts";
import { localDollarAbi } from "../../../packages/crosscall/src/abi/localDollar.generated.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { CHAIN, ORACLE_SIGNER } from "../support/oracleNetwork.ts";
import { type DepositedOrder, simpleOrder } from "../support/orders.ts";
import { startRpcRecorder } from "../support/rpcRecorder.ts";
import { DEPOSITS, type Draft, expectSigned, oracleSuite, owner as user, recipient } from "./support/oracleSuite.ts";
import { settlementExecutionKey } from "../../../packages/protocol/src/attestation/index.ts";
import { routerAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

const FILLS = "solver-fills/v1";
const REFUNDS = "solver-refunds/v1";
const { solver } = localAccounts;
const calls: Call[] = [{ to: user, data: "0x", value: "30" }];

/** Options for an order with one fee and a refund of the entire input. */
interface Output {
  readonly currency?: Address;
  readonly recipient?: Address;
  readonly calls?: readonly Call[];
  /** Whether the order has calls but no payments. */
  readonly isUnpaid?: boolean;
  readonly change?: (order: Draft) => void;
}

describe("an attestation for a solver", () => {
  const suite = oracleSuite();
  const { attest, attested, expectRejected, pay } = suite;

  const placed = ({ currency = native, isUnpaid = false, change, ...output }: Output = {}): Promise<DepositedOrder> =>
    suite.place((order) => {
      const { payments } = order.output;
      const paid = { recipient: output.recipient ?? recipient, currency };
      order.output = {
        ...order.output,
        payments: isUnpaid ? [] : payments.map((payment) => ({ ...payment, ...paid })),
        calls: (output.calls ?? []).map(encodeOrderCall),
      };
      order.fees = order.fees.slice(0, 1);
      order.inputs = order.inputs.map(({ payment, refunds }) => ({
        payment,
        refunds: refunds.map((refund) => ({ ...refund, minimumAmount: "1000" })),
      }));
      change?.(order);
    });

  const payDollars = (to: Address, amount: bigint, orderId: Hex) =>
    suite.network.send({
      to: suite.contracts.dollar,
      data: concat([encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] }), orderId]),
      account: solver,
    });
  const multicall = (made: readonly Call[], value: bigint, orderId: Hex) => {
    const list = made.map((call) => ({
      target: call.to as Address,
      allowFailure: false,
      value: BigInt(call.value),
      callData: call.data as Hex,
    }));
    const args = [list, recipient, recipient, "0x"] as const;
    const data = concat([encodeFunctionData({ abi: routerAbi, functionName: "multicall", args }), orderId]);
    return suite.network.send({ to: suite.contracts.router, value, data, account: solver });
  };

  const settlementOf = ({ order, orderSignature, transactionId, onchainId }: DepositedOrder) => {
    return { order, orderSignature, inputs: [{ transactionId, onchainId, inputIndex: 0 }] };
  };
  const fillOf = (deposited: DepositedOrder, transactionId: Hex, change: object = {}) => ({
    ...settlementOf(deposited),
    fill: { transactionId },
    ...change,
  });
  const refundOf = (deposited: DepositedOrder, transactionId: Hex, change: object = {}) => ({
    ...settlementOf(deposited),
    refunds: deposited.order.inputs.map((_, inputIndex) => ({ transactionId, inputIndex, refundIndex: 0 })),
    ...change,
  });
  const fillStatus = async (deposited: DepositedOrder, transactionId: Hex): Promise<number> =>
    (await attest(FILLS, fillOf(deposited, transactionId))).status;

  it("reports a plain native fill: the solver receives the deposit and pays the fees", async () => {
    const deposited = await placed();
    const { orderId, timestamp, onchainId } = deposited;
    const transactionId = await pay(recipient, 900n, orderId);
    const { message, execution } = await attested(FILLS, fillOf(deposited, transactionId));
    expect(message).to.deep.equal({
      data: fillOf(deposited, transactionId),
      result: { orderId, status: 1, totalWeightedInputPaymentBpsDiff: "0" },
    });
    const tokenId = hubTokenId(CHAIN, native);
    const [from, to] = [solver.address, recipient].map((address) =>
      hubAlias(CHAIN, address.toLowerCase() as Hex).toLowerCase(),
    );
    const held = orderAddress({ chainId: CHAIN, depositor: user, depositTimestamp: timestamp, depositId: orderId });
    await expectSigned(execution, {
      key: settlementExecutionKey([onchainId], orderId),
      actions: [
        { type: "transfer", from: held, to: from, tokenId, amount: 1000n },
        { type: "transfer", from, to, tokenId, amount: 17n },
      ],
      signers: [ORACLE_SIGNER],
    });
    expect(execution).not.to.have.property("metadata");
  });

  it("reports a fill in a token, and a fill by calls from the router", async () => {
    const { dollar } = suite.contracts;
    const inToken = await placed({ currency: dollar });
    expect(await fillStatus(inToken, await payDollars(recipient, 901n, inToken.orderId))).to.equal(200);
    const mint = encodeFunctionData({ abi: localDollarAbi, functionName: "mint", args: [recipient, 5n] });
    const made: Call[] = [{ to: dollar, data: mint, value: "0" }, ...calls];
    const byCalls = await placed({ calls: made });
    expect(await fillStatus(byCalls, await multicall(made, 930n, byCalls.orderId))).to.equal(200);
    const swapped = await placed({ calls: made.toReversed() });
    const wrongOrder = await multicall(made, 930n, swapped.orderId);
    await expectRejected(FILLS, fillOf(swapped, wrongOrder), "Missing call executions");
  });

  it("is rejected if the order's fill contract or calls are malformed", async () => {
    const withData = (extraData: Hex) => (order: Draft) => void (order.output = { ...order.output, extraData });
    for (const extraData of ["0x", "0x1234"] as const) {
      for (const output of [{ isUnpaid: true, calls }, {}]) {
        const deposited = await placed({ ...output, change: withData(extraData) });
        const fill = await multicall(calls, 930n, deposited.orderId);
        await expectRejected(FILLS, fillOf(deposited, fill), "Malformed extraData of the order");
      }
    }
    const change = (order: Draft): void => void (order.output = { ...order.output, calls: ["0x1234"] });
    const deposited = await placed({ isUnpaid: true, change });
    const fill = await multicall(calls, 30n, deposited.orderId);
    await expectRejected(FILLS, fillOf(deposited, fill), "Malformed calls of the order");
  });

  it("requires a final fill before the deadline if the order has only calls", async () => {
    const finality = { finalizationBlocks: 3, finalizationTime: 6 };
    await using patient = await suite.start({ additionalData: finality });
    const deposited = await placed({ calls, isUnpaid: true });
    await suite.network.mine(4, 20);
    const fill = await multicall(calls, 30n, deposited.orderId);
    const body = fillOf(deposited, fill);
    await expectRejected(FILLS, body, `Transaction ${fill} is not finalized`, patient);
    await suite.network.mine(4, 20);
    await attested(FILLS, body, patient);
    const foreign = await multicall(calls, 30n, `0x${"ab".repeat(32)}`);
    await expectRejected(FILLS, fillOf(deposited, foreign), `Transaction ${foreign} does not reference order id`);
    const change = (order: Draft): void => void (order.output = { ...order.output, deadline: 1 });
    const late = await placed({ calls, isUnpaid: true, change });
    const lateFill = await multicall(calls, 30n, late.orderId);
    await expectRejected(FILLS, fillOf(late, lateFill), `Transaction ${lateFill} executed after deadline`);
  });

  it("stops at the first unpaid input", async () => {
    const recorder = await startRpcRecorder(suite.network.rpcUrl);
    const additionalData = { finalizationBlocks: 0, finalizationTime: 0, rpcBatchSize: 1 };
    await using counted = await suite.start({ rpcUrl: recorder.url, additionalData });
    const single = simpleOrder(suite.network, 1n);
    const order = { ...single, inputs: Array.from({ length: 64 }, () => single.inputs[0]!) };
    const orderSignature = await solver.signMessage({ message: { raw: hashOrder(order) } });
    const inputs = order.inputs.map((_, inputIndex) => {
      const transactionId = numberToHex(inputIndex + 1, { size: 32 });
      return { transactionId, onchainId: transactionId, inputIndex };
    });
    const { transactionId } = inputs[0]!;
    const message = `Missing transaction ${transactionId} on chain ${CHAIN}`;
    await expectRejected(FILLS, { order, orderSignature, inputs, fill: { transactionId } }, message, counted);
    // The oracle reads ten receipts and the latest block.
    expect(recorder.count).to.be.within(1, 20);
    await recorder.close();
  });

  it("skips the checks of the solver only if a client with a key sets force", async () => {
    await using keyed = await suite.start({ settings: { apiKeys: [{ key: "k", label: "solver" }] } });
    const deposited = await placed();
    const body = fillOf(deposited, `0x${"ee".repeat(32)}`, { orderSignature: "0x", force: true });
    const forced = async (request: object) => {
      const headers = { "content-type": "application/json", "x-api-key": "k" };
      const init = { method: "POST", headers, body: JSON.stringify(request) };
      const response = await fetch(`${keyed.url}/attestations/${FILLS}`, init);
      return { status: response.status, body: (await response.json()) as { message: object; execution: object } };
    };
    const first = await forced(body);
    expect(first.status).to.equal(200);
    // Each deposit for the order in the transactions counts once, regardless of the stated ids.
    const [input] = body.inputs;
    const vague = { ...body, inputs: [{ ...input, onchainId: "0x" }, input], hints: {}, inputHints: [] };
    const message = { ...first.body.message, data: vague };
    expect((await forced(vague)).body).to.deep.equal({ message, execution: first.body.execution });
    await expectRejected(FILLS, body, "Unauthorized to use the `force` option");
    expect((await forced({ ...body, order: { ...body.order, salt: `0x${"ff".repeat(32)}` } })).status).to.equal(500);
  });

  describe("counts each payment once", () => {
    const ambiguous = (of: string, first: string, second: string) =>
      `Ambiguous ${of}: it could be ${first} or ${second}, and counts once`;
    const filled = ({ orderId }: { orderId: Hex }) => `output payment 0 of order ${orderId}`;
    const refunded = ({ orderId }: { orderId: Hex }, index = 0) => `the refund of input ${index} of order ${orderId}`;
    /** Makes another deposit for the same order. */
    const depositAgain = async (deposited: DepositedOrder, chainId = CHAIN, to = suite.oracle) => {
      const transactionId = await suite.deposit(1000n, deposited.orderId, user);
      const { messages } = await attested(DEPOSITS, { chainId, transactionId }, to);
      return { ...deposited, transactionId, onchainId: messages[0]!.result.onchainId as Hex };
    };

    it("for one of two refunds, even if its chain has two names", async () => {
      await using twin = await suite.start({ twin: "second" });
      for (const secondChain of [CHAIN, "second"]) {
        const change = (order: Draft): void => {
          const [input] = order.inputs;
          const refunds = input!.refunds.map((refund) => ({ ...refund, chainId: secondChain }));
          order.inputs = [input!, { ...input!, refunds }];
        };
        const first = await placed({ change });
        const second = await depositAgain(first);
        const inputs = [first, second].map(({ transactionId, onchainId }, inputIndex) => {
          return { transactionId, onchainId, inputIndex };
        });
        const once = await pay(recipient, 1000n, first.orderId);
        const message = ambiguous("payment of 1000", refunded(first), refunded(first, 1));
        await expectRejected(REFUNDS, refundOf(first, once, { inputs }), message, twin);
        const twice = await pay(recipient, 2000n, first.orderId);
        await attested(REFUNDS, refundOf(first, twice, { inputs }), twin);
      }
    });

    it("for one of two inputs, even if one deposit is stated on a chain with two names", async () => {
      await using twin = await suite.start({ twin: "second" });
      const deposited = await placed({
        change(order) {
          const [input] = order.inputs;
          order.inputs = [input!, { ...input!, payment: { ...input!.payment, chainId: "second" } }];
        },
      });
      const { transactionId } = deposited;
      const { messages } = await attested(DEPOSITS, { chainId: "second", transactionId }, twin);
      const named = [deposited.onchainId, messages[0]!.result.onchainId];
      const inputs = named.map((onchainId, inputIndex) => ({ transactionId, onchainId, inputIndex }));
      const fill = await pay(recipient, 900n, deposited.orderId);
      const message = ambiguous(`deposit ${named[1]}`, "of input 0", "of input 1");
      await expectRejected(FILLS, fillOf(deposited, fill, { inputs }), message, twin);
    });

    it("for a fill or a refund, whichever is attested first", async () => {
      const first = await placed();
      const payment = await pay(recipient, 1000n, first.orderId);
      expect(await fillStatus(first, payment)).to.equal(200);
      const message = ambiguous("payment of 1000", filled(first), refunded(first));
      await expectRejected(REFUNDS, refundOf(first, payment), message);
      // Repeating the first request has no effect.
      expect(await fillStatus(first, payment)).to.equal(200);
      const other = await placed();
      const back = await pay(recipient, 1000n, other.orderId);
      await attested(REFUNDS, refundOf(other, back));
      const reversed = ambiguous("payment of 1000", refunded(other), filled(other));
      await expectRejected(FILLS, fillOf(other, back), reversed);
    });

    it("for a fill or a refund without an amount", async () => {
      const change = (order: Draft): void => {
        order.inputs = order.inputs.map(({ payment, refunds }) => ({
          payment,
          refunds: refunds.map((refund) => ({ ...refund, minimumAmount: "0" })),
        }));
      };
      for (const isFillFirst of [true, false]) {
        const first = await placed({ change });
        const second = await depositAgain(first);
        const transactionId = await pay(recipient, 900n, first.orderId);
        const ask = async (isFill: boolean, of: DepositedOrder): Promise<number> =>
          (await (isFill ? attest(FILLS, fillOf(of, transactionId)) : attest(REFUNDS, refundOf(of, transactionId))))
            .status;
        expect(await ask(isFillFirst, first)).to.equal(200);
        for (const other of [first, second]) expect(await ask(!isFillFirst, other)).to.equal(400);
      }
      const withCalls = await placed({ calls, change });
      const payment = await multicall(calls, 930n, withCalls.orderId);
      const message = ambiguous("payment of 1", `the fill of order ${withCalls.orderId}`, refunded(withCalls));
      await expectRejected(REFUNDS, refundOf(withCalls, payment), message);
      // A payment that is not the order's fill refunds it.
      const back = await pay(recipient, 1n, withCalls.orderId);
      await attested(REFUNDS, refundOf(withCalls, back));
    });

    it("for the fill of an order with calls, even if no fill is attested", async () => {
      const deposited = await placed({ calls });
      const payment = await multicall(calls, 1030n, deposited.orderId);
      const message = ambiguous("payment of 1000", filled(deposited), refunded(deposited));
      await expectRejected(REFUNDS, refundOf(deposited, payment), message);
    });

    for (const [what, output, meaning, amount] of [
      ["", {}, filled, 900n],
      [" with calls", { isUnpaid: true, calls }, ({ orderId }) => `the fill of order ${orderId}`, 1n],
      [" without payments", { isUnpaid: true }, ({ orderId }) => `the fill of order ${orderId}`, 1n],
    ] satisfies [string, Output, (order: { orderId: Hex }) => string, bigint][]) {
      it(`for one of two deposits for the same order${what}`, async () => {
        const first = await placed(output);
        const second = await depositAgain(first);
        const send = () =>
          "calls" in output ? multicall(calls, 30n, first.orderId) : pay(recipient, amount, first.orderId);
        const payment = await send();
        expect(await fillStatus(first, payment)).to.equal(200);
        const message = ambiguous(`payment of ${amount}`, meaning(first), meaning(first));
        await expectRejected(FILLS, fillOf(second, payment), message);
        expect(await fillStatus(second, await send())).to.equal(200);
      });
    }

    it("as a deposit if the transaction is the order's own deposit", async () => {
      const deposited = await placed({ isUnpaid: true });
      const of = `transaction ${deposited.transactionId} to ${suite.contracts.depository}`;
      const message = ambiguous(of, "a deposit into that depository", "a payment of an order");
      await expectRejected(FILLS, fillOf(deposited, deposited.transactionId), message);
    });

    it("as a deposit if it pays the depository", async () => {
      const { dollar, depository } = suite.contracts;
      const deposited = await placed({ currency: dollar, recipient: depository });
      const payment = await payDollars(depository, 900n, deposited.orderId);
      const of = `transaction ${payment} to ${depository}`;
      const message = ambiguous(of, "a deposit into that depository", "a payment of an order");
      await expectRejected(FILLS, fillOf(deposited, payment), message);
    });
  });
});
