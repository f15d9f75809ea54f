import { expect } from "chai";
import { type Address, concat, encodeFunctionData, erc20Abi, type Hex, numberToHex, zeroAddress } from "viem";
import { getTransactionReceipt } from "viem/actions";

import { depositoryAbi } from "../../../packages/protocol/src/abi/depository.generated.ts";
import { routerAbi } from "../../../packages/protocol/src/abi/router.generated.ts";
import type { DepositsAttestation } from "../../../packages/protocol/src/attestation/messages/deposits.ts";
import type { FillAttestation } from "../../../packages/protocol/src/attestation/messages/solver.ts";
import {
  type Call,
  encodeFillContract,
  encodeOrderCall,
  hashOrder,
  type Order,
} from "../../../packages/protocol/src/index.ts";
import {
  decodeAction,
  hubAlias,
  hubTokenId,
  orderAddress,
  settlementExecutionKey,
} from "../../../packages/sdk/src/attestation.ts";
import { localDollarAbi } from "../../../packages/crosscall/src/abi/localDollar.generated.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import {
  ask,
  CHAIN,
  executionSigners,
  ORACLE_SIGNER,
  type OracleNetwork,
  startOracleNetwork,
  startTestOracle,
} from "../support/oracleNetwork.ts";
import { startRpcRecorder } from "../support/rpcRecorder.ts";

const FILLS = "/attestations/solver-fills/v1";
const REFUNDS = "/attestations/solver-refunds/v1";
const DEADLINE = 4_000_000_000;
const { user, stranger, solver } = localAccounts;
const recipient = stranger.address.toLowerCase() as Address;
const native = zeroAddress;

describe("an attestation of a solver", () => {
  let network: OracleNetwork;
  let oracle: Oracle;
  let router: Address;
  let dollar: Address;
  let salt = 0n;

  before(async () => {
    network = await startOracleNetwork();
    oracle = await startTestOracle(network);
    ({ router, dollar } = network.contracts);
  });
  after(async () => {
    await oracle.close();
    await network.close();
  });

  interface Output {
    readonly currency: Address;
    readonly minimumAmount: string;
    readonly recipient?: Address;
    readonly calls?: readonly Call[];
    readonly deadline?: number;
    /** The order has calls only. */
    readonly isUnpaid?: boolean;
    readonly extraData?: Hex;
    /** Already encoded, instead of `calls`. */
    readonly encodedCalls?: readonly Hex[];
  }

  function orderOf({ currency, minimumAmount, calls = [], deadline = DEADLINE, ...output }: Output): Order {
    salt += 1n;
    const extraData = encodeFillContract(router);
    const refund = { chainId: CHAIN, currency: native, minimumAmount: "1000", deadline, extraData };
    return {
      ...{
        version: "v1",
        solverChainId: CHAIN,
        solver: solver.address,
        salt: `0x${salt.toString(16).padStart(64, "0")}`,
      },
      inputs: [
        {
          payment: { chainId: CHAIN, currency: native, amount: "1000", weight: "1" },
          refunds: [
            { ...refund, recipient },
            { ...refund, recipient: native },
          ],
        },
      ],
      output: {
        chainId: CHAIN,
        payments:
          output.isUnpaid === true
            ? []
            : [{ recipient: output.recipient ?? recipient, currency, minimumAmount, expectedAmount: minimumAmount }],
        calls: output.encodedCalls?.slice() ?? calls.map(encodeOrderCall),
        deadline,
        extraData: output.extraData ?? extraData,
      },
      fees: [{ recipientChainId: CHAIN, recipient, currencyChainId: CHAIN, currency: native, amount: "17" }],
    };
  }

  interface PaidOrder {
    readonly order: Order;
    readonly orderId: Hex;
    readonly orderSignature: Hex;
    readonly inputs: { transactionId: Hex; onchainId: string; inputIndex: number }[];
    readonly timestamp: number;
  }

  /** Deposits for an order, and has its solver sign it. */
  async function paid(output: Output, amount = 1000n): Promise<PaidOrder> {
    const order = orderOf(output);
    const orderId = hashOrder(order);
    const transactionId = await network.send({
      to: network.contracts.depository,
      data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [user.address, orderId] }),
      value: amount,
    });
    const { body } = await ask<DepositsAttestation>(oracle, "/attestations/depository-deposits/v1", {
      chainId: CHAIN,
      transactionId,
    });
    const [message] = body.messages;
    return {
      order,
      orderId,
      orderSignature: await solver.signMessage({ message: { raw: orderId } }),
      inputs: [{ transactionId, onchainId: message!.result.onchainId, inputIndex: 0 }],
      timestamp: Number(message!.extraData.timestamp),
    };
  }

  const payNative = (to: Address, value: bigint, orderId: Hex) =>
    network.send({ to, value, data: orderId, account: solver });

  const payDollars = (to: Address, amount: bigint, orderId: Hex) =>
    network.send({
      to: dollar,
      data: concat([encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] }), orderId]),
      account: solver,
    });

  const multicall = (calls: readonly Call[], value: bigint, orderId: Hex) =>
    network.send({
      to: router,
      value,
      data: concat([
        encodeFunctionData({
          abi: routerAbi,
          functionName: "multicall",
          args: [
            calls.map((call) => ({
              ...{
                target: call.to as Address,
                allowFailure: false,
                value: BigInt(call.value),
                callData: call.data as Hex,
              },
            })),
            recipient,
            recipient,
            "0x",
          ],
        }),
        orderId,
      ]),
      account: solver,
    });

  const bodyOf = ({ order, orderSignature, inputs }: PaidOrder, transactionId: Hex, change: object = {}) => ({
    order,
    orderSignature,
    inputs,
    fill: { transactionId },
    ...change,
  });

  const askFill = (order: PaidOrder, transactionId: Hex, change: object = {}) =>
    ask<FillAttestation & { message: unknown }>(oracle, FILLS, bodyOf(order, transactionId, change));

  async function expectRefusal(path: string, body: object, message: string): Promise<void> {
    const answer = await ask(oracle, path, body);
    expect({ status: answer.status, body: answer.body }).to.deep.equal({ status: 400, body: { message } });
  }

  const deposited = ({ orderId, timestamp }: PaidOrder): Address =>
    orderAddress({
      ...{
        chainId: CHAIN,
        depositor: user.address.toLowerCase() as Hex,
        depositTimestamp: timestamp,
        depositId: orderId,
      },
    });

  it("reports a plain native fill: the deposit goes to the solver, who pays the fees", async () => {
    const order = await paid({ currency: native, minimumAmount: "900" }, 1500n);
    const transactionId = await payNative(recipient, 900n, order.orderId);
    const { status, body } = await askFill(order, transactionId);
    expect({ status, message: body.message }).to.deep.equal({
      status: 200,
      message: {
        data: {
          order: order.order,
          orderSignature: order.orderSignature,
          inputs: order.inputs,
          fill: { transactionId },
        },
        result: { orderId: order.orderId, status: 1, totalWeightedInputPaymentBpsDiff: (5n * 10n ** 17n).toString() },
      },
    });
    const execution = body.execution!;
    expect(execution.idempotencyKey).to.equal(
      settlementExecutionKey([order.inputs[0]!.onchainId as Hex], order.orderId),
    );
    const tokenId = hubTokenId(CHAIN, native);
    const solverAlias = hubAlias(CHAIN, solver.address.toLowerCase() as Hex);
    const actions = execution.actions.map((action) => {
      const decoded = decodeAction(action as Hex);
      return decoded.type === "transfer" ? { ...decoded, from: decoded.from.toLowerCase() } : decoded;
    });
    expect(actions).to.deep.equal([
      { type: "transfer", from: deposited(order), to: solverAlias, tokenId, amount: 1500n },
      { type: "transfer", from: solverAlias.toLowerCase(), to: hubAlias(CHAIN, recipient), tokenId, amount: 17n },
    ]);
    expect(await executionSigners(execution)).to.deep.equal([ORACLE_SIGNER]);
    expect(execution).not.to.have.property("metadata");
  });

  it("reports a fill in a token, and by calls of the router", async () => {
    const inToken = await paid({ currency: dollar, minimumAmount: "900" });
    const transfer = await payDollars(recipient, 901n, inToken.orderId);
    expect((await askFill(inToken, transfer)).status).to.equal(200);

    const mint = encodeFunctionData({ abi: localDollarAbi, functionName: "mint", args: [recipient, 5n] });
    const calls: Call[] = [
      { to: dollar, data: mint, value: "0" },
      { to: user.address, data: "0x", value: "30" },
    ];
    const byCalls = await paid({ currency: native, minimumAmount: "100", recipient, calls });
    const fill = await multicall(calls, 130n, byCalls.orderId);
    expect((await askFill(byCalls, fill)).status).to.equal(200);

    const swapped = await paid({ currency: native, minimumAmount: "100", recipient, calls: calls.toReversed() });
    const wrongOrder = await multicall(calls, 130n, swapped.orderId);
    await expectRefusal(FILLS, bodyOf(swapped, wrongOrder), "Missing call executions");
    const oneLess = await multicall(calls.slice(1), 130n, byCalls.orderId);
    await expectRefusal(FILLS, bodyOf(byCalls, oneLess), "Missing call executions");
  });

  it("is rejected if the order's fill contract or calls are malformed", async () => {
    const calls: Call[] = [{ to: user.address, data: "0x", value: "30" }];
    const output = { currency: native, minimumAmount: "0", isUnpaid: true };
    for (const extraData of ["0x", "0x1234"] as const) {
      const order = await paid({ ...output, calls, extraData });
      const fill = await multicall(calls, 30n, order.orderId);
      await expectRefusal(FILLS, bodyOf(order, fill), "Malformed extraData of the order");
      const inNative = await paid({ currency: native, minimumAmount: "30", recipient, extraData });
      const throughRouter = await multicall(calls, 30n, inNative.orderId);
      await expectRefusal(FILLS, bodyOf(inNative, throughRouter), "Malformed extraData of the order");
    }
    const order = await paid({ ...output, encodedCalls: ["0x1234"] });
    const fill = await multicall(calls, 30n, order.orderId);
    await expectRefusal(FILLS, bodyOf(order, fill), "Malformed calls of the order");
  });

  it("requires a final fill of the order, in time, if the order has calls only", async () => {
    const finality = { finalizationBlocks: 3, finalizationTime: 6 };
    await using patient = await startTestOracle(network, { additionalData: finality });
    const calls: Call[] = [{ to: user.address, data: "0x", value: "30" }];
    const output = { currency: native, minimumAmount: "0", calls, isUnpaid: true };
    const order = await paid(output);
    await network.mine(4, 20);
    const fill = await multicall(calls, 30n, order.orderId);
    const body = bodyOf(order, fill);
    const early = await ask(patient, FILLS, body);
    expect(early).to.deep.include({ status: 400, body: { message: `Transaction ${fill} is not finalized` } });
    await network.mine(4, 20);
    expect((await ask(patient, FILLS, body)).status).to.equal(200);

    const foreign = await multicall(calls, 30n, `0x${"ab".repeat(32)}`);
    await expectRefusal(FILLS, bodyOf(order, foreign), `Transaction ${foreign} does not reference order id`);
    const late = await paid({ ...output, deadline: 1 });
    const lateFill = await multicall(calls, 30n, late.orderId);
    await expectRefusal(FILLS, bodyOf(late, lateFill), `Transaction ${lateFill} executed after deadline`);
  });

  it("is rejected if the payment is too small, too late, to another account or for another order", async () => {
    const order = await paid({ currency: native, minimumAmount: "900" });
    const insufficient = (amount: number) =>
      `Insufficient fill amount for order output payment 0 (paidAmount=${amount}, minimumAmount=900)`;
    await expectRefusal(FILLS, bodyOf(order, await payNative(recipient, 899n, order.orderId)), insufficient(899));
    await expectRefusal(FILLS, bodyOf(order, await payNative(user.address, 900n, order.orderId)), insufficient(0));
    const foreign = await payNative(recipient, 900n, `0x${"ab".repeat(32)}`);
    await expectRefusal(FILLS, bodyOf(order, foreign), `Transaction ${foreign} does not reference order id`);
    const late = await paid({ currency: native, minimumAmount: "900", deadline: 1 });
    const lateFill = await payNative(recipient, 900n, late.orderId);
    await expectRefusal(FILLS, bodyOf(late, lateFill), `Transaction ${lateFill} executed after deadline`);
    const missing: Hex = `0x${"ee".repeat(32)}`;
    await expectRefusal(FILLS, bodyOf(order, missing), `Missing transaction ${missing} on chain ${CHAIN}`);
  });

  it("is rejected when the order is not the solver's, or its inputs are not paid", async () => {
    const order = await paid({ currency: native, minimumAmount: "900" });
    const fill = await payNative(recipient, 900n, order.orderId);
    const foreign = await user.signMessage({ message: { raw: order.orderId } });
    for (const orderSignature of [foreign, "0x12", "nothing"]) {
      await expectRefusal(FILLS, bodyOf(order, fill, { orderSignature }), "Invalid order signature");
    }
    await expectRefusal(
      FILLS,
      bodyOf(order, fill, { inputs: [] }),
      "Missing input information for order input payment 0",
    );
    await expectRefusal(
      FILLS,
      bodyOf(order, fill, { inputs: [...order.inputs, ...order.inputs] }),
      "Input information contains non-unique onchain ids",
    );
    const other = await paid({ currency: native, minimumAmount: "900" });
    const { onchainId, transactionId } = other.inputs[0]!;
    const receipt = await getTransactionReceipt(network.client, { hash: transactionId });
    const seen = [
      {
        data: { chainId: CHAIN, transactionId },
        result: {
          onchainId,
          depository: network.contracts.depository,
          depositId: other.orderId,
          depositor: user.address.toLowerCase(),
          currency: native,
          amount: "1000",
        },
        extraData: { timestamp: other.timestamp.toString() },
      },
    ];
    expect(receipt.logs).to.have.length(1);
    await expectRefusal(
      FILLS,
      bodyOf(order, fill, { inputs: other.inputs }),
      `Invalid input information for order input payment 0 (orderId=${order.orderId} onchainId=${onchainId} ` +
        `depositoryDeposits=${JSON.stringify(seen)})`,
    );
  });

  it("stops at the first of many inputs that is not paid", async () => {
    const recorder = await startRpcRecorder(network.rpcUrl);
    const batch = { additionalData: { finalizationBlocks: 0, finalizationTime: 0, rpcBatchSize: 1 } };
    await using counted = await startTestOracle(network, { rpcUrl: recorder.url, ...batch });
    const order = orderOf({ currency: native, minimumAmount: "900" });
    const inputs = Array.from({ length: 64 }, () => order.inputs[0]!);
    const orderSignature = await solver.signMessage({ message: { raw: hashOrder({ ...order, inputs }) } });
    const unknown = inputs.map((_, inputIndex) => {
      const transactionId = numberToHex(inputIndex + 1, { size: 32 });
      return { transactionId, onchainId: transactionId, inputIndex };
    });
    const { transactionId } = unknown[0]!;
    const body = { order: { ...order, inputs }, orderSignature, inputs: unknown, fill: { transactionId } };
    expect(await ask(counted, FILLS, body)).to.deep.include({
      status: 400,
      body: { message: `Missing transaction ${transactionId} on chain ${CHAIN}` },
    });
    // Ten receipts, and the latest block for them.
    expect(recorder.count).to.be.within(1, 20);
    await recorder.close();
  });

  it("is rejected if the order has a chain that is not configured", async () => {
    const order = await paid({ currency: native, minimumAmount: "900" });
    const fees = [{ ...order.order.fees[0]!, recipientChainId: "relay" }];
    const body = bodyOf(order, order.inputs[0]!.transactionId, { order: { ...order.order, fees } });
    await expectRefusal(FILLS, body, "Chain relay is not available");
  });

  it("skips the checks of the solver if a caller with a key sets force", async () => {
    await using keyed = await startTestOracle(network, { settings: { apiKeys: [{ key: "k", label: "solver" }] } });
    const order = await paid({ currency: native, minimumAmount: "900" });
    const body = bodyOf(order, `0x${"ee".repeat(32)}`, { orderSignature: "0x", force: true });
    const { status, body: answer } = await ask<FillAttestation>(keyed, FILLS, body, { "x-api-key": "k" });
    expect({ status, message: answer.message }).to.deep.equal({
      status: 200,
      message: { data: body, result: { orderId: order.orderId, status: 1, totalWeightedInputPaymentBpsDiff: "0" } },
    });
    // All deposits of the transactions for the order count, each once, whatever ids are stated.
    const [input] = order.inputs;
    const vague = { ...body, inputs: [{ ...input, onchainId: "0x" }, input], hints: {}, inputHints: [] };
    const again = await ask<FillAttestation>(keyed, FILLS, vague, { "x-api-key": "k" });
    expect(again.body).to.deep.equal({ message: { ...answer.message, data: vague }, execution: answer.execution });
    await expectRefusal(FILLS, body, "Unauthorized to use the `force` option");
    const unpaid = { ...body, order: { ...order.order, salt: `0x${"ff".repeat(32)}` } };
    expect((await ask(keyed, FILLS, unpaid, { "x-api-key": "k" })).status).to.equal(500);
  });

  const refundBody = (order: PaidOrder, transactionId: Hex, refundIndex = 0, inputIndex = 0) => ({
    order: order.order,
    orderSignature: order.orderSignature,
    inputs: order.inputs,
    refunds: [{ transactionId, inputIndex, refundIndex }],
  });

  it("reports a refund, increased in proportion to an overpaid deposit", async () => {
    const order = await paid({ currency: native, minimumAmount: "900" }, 1500n);
    const short = await payNative(recipient, 1499n, order.orderId);
    await expectRefusal(
      REFUNDS,
      refundBody(order, short),
      "Insufficient refund amount for order input payment 0 (paidAmount=1499, minimumAmount=1500)",
    );
    const whole = await payNative(recipient, 1500n, order.orderId);
    const { status, body } = await ask<FillAttestation>(oracle, REFUNDS, refundBody(order, whole));
    expect({ status, data: body.message.data }).to.deep.equal({ status: 200, data: refundBody(order, whole) });
    expect(body.execution?.actions.map((action) => decodeAction(action as Hex).type)).to.deep.equal(["transfer"]);
  });

  it("accepts the native currency's name as the depositor in the recipient field", async () => {
    const order = await paid({ currency: native, minimumAmount: "900" });
    const back = await payNative(user.address, 1000n, order.orderId);
    expect((await ask(oracle, REFUNDS, refundBody(order, back, 1))).status).to.equal(200);
    await expectRefusal(
      REFUNDS,
      refundBody(order, back, 0),
      "Insufficient refund amount for order input payment 0 (paidAmount=0, minimumAmount=1000)",
    );
    await expectRefusal(REFUNDS, refundBody(order, back, 2), "Invalid refund information for order input payment 0");
    await expectRefusal(REFUNDS, refundBody(order, back, 0, 1), "Missing refund information for order input payment 0");
  });

  describe("counts each payment once", () => {
    const ambiguous = (of: string, first: string, second: string) =>
      `Ambiguous ${of}: it could be ${first} or ${second}, and counts once`;

    /** An order of several inputs or payments that are all alike, deposited for and signed. */
    async function several(count: { inputs?: number; payments?: number; secondChain?: string }): Promise<PaidOrder> {
      const { inputs = 1, payments = 1, secondChain = CHAIN } = count;
      const order = orderOf({ currency: native, minimumAmount: "900" });
      const [input] = order.inputs;
      const [payment] = order.output.payments;
      const [refund] = input!.refunds;
      const changed: Order = {
        ...order,
        inputs: Array.from({ length: inputs }, (_, index) => ({
          payment: input!.payment,
          refunds: [{ ...refund!, chainId: index === 0 ? CHAIN : secondChain }],
        })),
        output: { ...order.output, payments: Array.from({ length: payments }, () => payment!) },
      };
      const orderId = hashOrder(changed);
      const paidInputs = [];
      for (let inputIndex = 0; inputIndex < inputs; inputIndex += 1) {
        paidInputs.push({ ...(await depositFor(orderId)), inputIndex });
      }
      const orderSignature = await solver.signMessage({ message: { raw: orderId } });
      return { order: changed, orderId, orderSignature, inputs: paidInputs, timestamp: 0 };
    }

    async function depositFor(orderId: Hex): Promise<{ transactionId: Hex; onchainId: string }> {
      const transactionId = await network.send({
        to: network.contracts.depository,
        data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [user.address, orderId] }),
        value: 1000n,
      });
      const request = { chainId: CHAIN, transactionId };
      const { body } = await ask<DepositsAttestation>(oracle, "/attestations/depository-deposits/v1", request);
      return { transactionId, onchainId: body.messages[0]!.result.onchainId };
    }

    const refundsOf = ({ order }: PaidOrder, transactionId: Hex) =>
      order.inputs.map((_, inputIndex) => ({ transactionId, inputIndex, refundIndex: 0 }));
    const refundAll = (order: PaidOrder, transactionId: Hex) => {
      const { order: asked, orderSignature, inputs } = order;
      return { order: asked, orderSignature, inputs, refunds: refundsOf(order, transactionId) };
    };

    it("for one of two output payments to a recipient", async () => {
      const order = await several({ payments: 2 });
      const { orderId } = order;
      const [first, second] = [`output payment 0 of order ${orderId}`, `output payment 1 of order ${orderId}`];
      for (const amount of [900n, 1799n]) {
        const once = await payNative(recipient, amount, orderId);
        await expectRefusal(FILLS, bodyOf(order, once), ambiguous(`payment of ${amount}`, first, second));
      }
      expect((await askFill(order, await payNative(recipient, 1800n, orderId))).status).to.equal(200);
    });

    it("for one of two refunds, also on a chain with two names", async () => {
      await using twin = await startTestOracle(network, { twin: "second" });
      for (const secondChain of [CHAIN, "second"]) {
        const order = await several({ inputs: 2, secondChain });
        const { orderId } = order;
        const once = await payNative(recipient, 1000n, orderId);
        const [first, second] = [0, 1].map((index) => `the refund of input ${index} of order ${orderId}`);
        const answer = await ask(twin, REFUNDS, refundAll(order, once));
        const message = ambiguous("payment of 1000", first!, second!);
        expect({ status: answer.status, body: answer.body }).to.deep.equal({ status: 400, body: { message } });
        const twice = await payNative(recipient, 2000n, orderId);
        expect((await ask(twin, REFUNDS, refundAll(order, twice))).status).to.equal(200);
      }
    });

    it("for one of two inputs, if one deposit is named on a chain with two names", async () => {
      await using twin = await startTestOracle(network, { twin: "second" });
      const order = orderOf({ currency: native, minimumAmount: "900" });
      const [input] = order.inputs;
      const other = { ...input!, payment: { ...input!.payment, chainId: "second" } };
      const both = { ...order, inputs: [input!, other] };
      const orderId = hashOrder(both);
      const { transactionId, onchainId } = await depositFor(orderId);
      const { body } = await ask<DepositsAttestation>(twin, "/attestations/depository-deposits/v1", {
        ...{ chainId: "second", transactionId },
      });
      const named = [onchainId, body.messages[0]!.result.onchainId];
      const answer = await ask(twin, FILLS, {
        order: both,
        orderSignature: await solver.signMessage({ message: { raw: orderId } }),
        inputs: named.map((id, inputIndex) => ({ transactionId, onchainId: id, inputIndex })),
        fill: { transactionId: await payNative(recipient, 900n, orderId) },
      });
      const message = ambiguous(`deposit ${named[1]}`, "of input 0", "of input 1");
      expect({ status: answer.status, body: answer.body }).to.deep.equal({ status: 400, body: { message } });
    });

    it("for a fill or a refund, whichever is attested first", async () => {
      const order = await several({});
      const { orderId } = order;
      const payment = await payNative(recipient, 1000n, orderId);
      const [filled, refunded] = [`output payment 0 of order ${orderId}`, `the refund of input 0 of order ${orderId}`];
      expect((await askFill(order, payment)).status).to.equal(200);
      await expectRefusal(REFUNDS, refundAll(order, payment), ambiguous("payment of 1000", filled, refunded));
      // Repeating it changes nothing.
      expect((await askFill(order, payment)).status).to.equal(200);

      const other = await several({});
      const back = await payNative(recipient, 1000n, other.orderId);
      expect((await ask(oracle, REFUNDS, refundAll(other, back))).status).to.equal(200);
      const meanings = [
        `the refund of input 0 of order ${other.orderId}`,
        `output payment 0 of order ${other.orderId}`,
      ];
      await expectRefusal(FILLS, bodyOf(other, back), ambiguous("payment of 1000", meanings[0]!, meanings[1]!));
    });

    it("for the fill of an order with calls, although no fill is attested", async () => {
      const calls: Call[] = [{ to: user.address, data: "0x", value: "30" }];
      const order = await paid({ currency: native, minimumAmount: "900", recipient, calls });
      const payment = await multicall(calls, 1030n, order.orderId);
      await expectRefusal(
        REFUNDS,
        refundBody(order, payment),
        ambiguous(
          "payment of 1000",
          `output payment 0 of order ${order.orderId}`,
          `the refund of input 0 of order ${order.orderId}`,
        ),
      );
    });

    it("for one deposit of an order, if a second deposit names the same order", async () => {
      const order = await several({});
      const { orderId } = order;
      const again = { ...order, inputs: [{ ...(await depositFor(orderId)), inputIndex: 0 }] };
      const payment = await payNative(recipient, 900n, orderId);
      const meaning = `output payment 0 of order ${orderId}`;
      expect((await askFill(order, payment)).status).to.equal(200);
      await expectRefusal(FILLS, bodyOf(again, payment), ambiguous("payment of 900", meaning, meaning));
      expect((await askFill(again, await payNative(recipient, 900n, orderId))).status).to.equal(200);
    });

    it("for one deposit of an order with calls or without payments", async () => {
      const calls: Call[] = [{ to: user.address, data: "0x", value: "30" }];
      for (const made of [calls, []]) {
        const order = await paid({ currency: native, minimumAmount: "0", isUnpaid: true, calls: made });
        const { orderId } = order;
        const again = { ...order, inputs: [{ ...(await depositFor(orderId)), inputIndex: 0 }] };
        const send = () => (made.length > 0 ? multicall(made, 30n, orderId) : payNative(recipient, 1n, orderId));
        const payment = await send();
        expect((await askFill(order, payment)).status).to.equal(200);
        const meaning = `the fill of order ${orderId}`;
        await expectRefusal(FILLS, bodyOf(again, payment), ambiguous("payment of 1", meaning, meaning));
        expect((await askFill(again, await send())).status).to.equal(200);
      }
    });

    it("as a deposit, if it goes to the depository", async () => {
      const { depository } = network.contracts;
      const order = await paid({ currency: dollar, minimumAmount: "900", recipient: depository });
      const payment = await payDollars(depository, 900n, order.orderId);
      await expectRefusal(
        FILLS,
        bodyOf(order, payment),
        ambiguous(`transaction ${payment} to ${depository}`, "a deposit into that depository", "a payment of an order"),
      );
    });
  });

  it("requires a final fill that names the order, also of an order without payments and calls", async () => {
    const order = await paid({ currency: native, minimumAmount: "0", isUnpaid: true });
    const missing: Hex = `0x${"ee".repeat(32)}`;
    await expectRefusal(FILLS, bodyOf(order, missing), `Missing transaction ${missing} on chain ${CHAIN}`);
    const foreign = await payNative(recipient, 1n, `0x${"ab".repeat(32)}`);
    await expectRefusal(FILLS, bodyOf(order, foreign), `Transaction ${foreign} does not reference order id`);
    const reverted = await network.sendReverting({ to: network.contracts.depository, data: "0x12345678" });
    await expectRefusal(FILLS, bodyOf(order, reverted), `Reverted transaction ${reverted} on chain ${CHAIN}`);
    expect((await ask(oracle, FILLS, bodyOf(order, "0x12"))).status).to.equal(400);
    expect((await askFill(order, await payNative(recipient, 1n, order.orderId))).status).to.equal(200);
  });
});
