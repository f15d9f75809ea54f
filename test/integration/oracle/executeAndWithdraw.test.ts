import { expect } from "chai";
import { type Address, type Hex, zeroAddress, zeroHash } from "viem";

import { hubAlias, orderAddress } from "../../../packages/sdk/src/attestation.ts";
import { FakePeer } from "../support/fakePeer.ts";
import { CHAIN, executionSigners, ORACLE_SIGNER } from "../support/oracleNetwork.ts";
import { type DepositedOrder, simpleOrder } from "../support/orders.ts";
import { EXECUTOR } from "./support/hubContracts.ts";
import {
  DEPOSITS,
  depositOf,
  type Draft,
  fieldsOf,
  oracleSuite,
  owner as user,
  recipient,
  typedSigners,
} from "./support/oracleSuite.ts";

const FILL = "withdraw-and-fill/v1";
const REFUND = "withdraw-and-refund/v1";
const NONCE: Hex = `0x${"9e".repeat(32)}`;
const hub = { executorAddress: EXECUTOR };
const TYPES = {
  ExecuteAndWithdrawRequest: fieldsOf(
    "string inChainId, bytes inCurrency, string outChainId, bytes outCurrency, uint256 outAmountMinimum, " +
      "bytes depository, address orderAddress, bytes receiver, bytes data, Fee[] fees, bytes32 nonce, uint256 deadline",
  ),
  Fee: fieldsOf("address recipient, uint256 amount"),
};

/** Returns the only input of an order. */
const changeInput = (order: Draft, change: (input: Draft["inputs"][number]) => object): void => {
  order.inputs = order.inputs.map((input) => ({ ...input, ...change(input) }));
};
const changeRefunds = (order: Draft, change: object): void =>
  changeInput(order, ({ refunds }) => ({ refunds: refunds.map((refund) => ({ ...refund, ...change })) }));

describe("an attestation of a settlement from a depository", () => {
  const suite = oracleSuite({ prepare: () => ({ hub }), hasPeer: true });
  const { attest, attested, expectRejected, place } = suite;

  const bodyOf = (deposited: DepositedOrder, change: object = {}) => ({
    ...depositOf(deposited),
    order: deposited.order,
    orderSignature: deposited.orderSignature,
    nonce: NONCE,
    ...change,
  });

  for (const [route, currencyName, expected] of [
    [FILL, "native", { outAmountMinimum: "900", amounts: ["17", "5"], deadline: "4000000000" }],
    [REFUND, "dollar", { outAmountMinimum: "990", amounts: ["3"], deadline: "3999999999" }],
  ] as const) {
    it(`reports the depository's remaining balance for ${route}, with the deposit's execution`, async () => {
      const currency = currencyName === "native" ? zeroAddress : suite.contracts.dollar.toLowerCase();
      const deposited = await place(undefined, { currency: currency as Address });
      const body = await attested(route, { ...bodyOf(deposited), requestPeerSignatures: true });
      expect(Object.keys(body)).to.deep.equal(["executeAndWithdrawRequest", "execution"]);
      const { signatures, ...request } = body.executeAndWithdrawRequest;
      expect(request).to.deep.equal({
        ...{ inChainId: CHAIN, inCurrency: currency, outChainId: CHAIN, outCurrency: currency },
        outAmountMinimum: expected.outAmountMinimum,
        depository: suite.contracts.depository.toLowerCase(),
        orderAddress: orderAddress({
          chainId: CHAIN,
          depositor: user,
          depositTimestamp: deposited.timestamp,
          depositId: deposited.orderId,
        }),
        ...{ receiver: recipient, data: "0x", nonce: NONCE, deadline: expected.deadline },
        fees: expected.amounts.map((amount) => ({ recipient: hubAlias(CHAIN, recipient), amount })),
      });
      const domain = { name: "RelayExecutor", version: "1", chainId: 31_337, verifyingContract: EXECUTOR };
      const signers = [ORACLE_SIGNER, suite.peer.signer];
      expect(await typedSigners(domain, TYPES, request, signatures)).to.deep.equal(signers);
      expect(signatures.map(({ signature: _, ...rest }) => rest)).to.deep.equal(
        signers.map((oracleSigner) => ({ executorChainId: "31337", executorContract: EXECUTOR, oracleSigner })),
      );
      expect(await executionSigners(body.execution!)).to.deep.equal(signers);
      // The attestation of the deposit has the same contents.
      const { transactionId } = deposited;
      const { execution } = await attested(DEPOSITS, { chainId: CHAIN, transactionId });
      expect({ ...body.execution, signatures: [body.execution!.signatures[0]] }).to.deep.equal(execution);
    });
  }

  it("accepts a peer signature only if the peer signs both messages", async () => {
    const liar = await FakePeer.start();
    const deposited = await place();
    const theirs = await attested(FILL, bodyOf(deposited), suite.peer);
    const { executeAndWithdrawRequest: request, execution } = theirs;
    await using alone = await suite.start({ hub, settings: { peers: [{ baseUrl: liar.url, apiKey: "k" }] } });
    const countsWith = async (response: object) => {
      liar.answer = () => Promise.resolve(response);
      const own = await attested(FILL, { ...bodyOf(deposited), requestPeerSignatures: true }, alone);
      return [own.executeAndWithdrawRequest.signatures.length, own.execution!.signatures.length];
    };
    expect(await countsWith(theirs)).to.deep.equal([2, 2]);
    const forged = { ...execution!.signatures[0]!, signature: request.signatures[0]!.signature };
    for (const lie of [
      { execution },
      { executeAndWithdrawRequest: request },
      { ...theirs, execution: { ...execution, signatures: [forged] } },
      { ...theirs, executeAndWithdrawRequest: { ...request, outAmountMinimum: "1" } },
      { ...theirs, executeAndWithdrawRequest: { ...request, fees: [] } },
    ]) {
      expect(await countsWith(lie)).to.deep.equal([1, 1]);
    }
    await liar.close();
  });

  const other: Address = "0x9999999999999999999999999999999999999999";
  const plainOnly: [message: string, change: (order: Draft) => void][] = [
    ["Only single-input orders are allowed", (order) => void (order.inputs = [...order.inputs, ...order.inputs])],
    [
      "Wrong weight for order input",
      (order) => changeInput(order, ({ payment }) => ({ payment: { ...payment, weight: "2" } })),
    ],
    ["Only single-refund options are allowed", (order) => changeInput(order, () => ({ refunds: [] }))],
    [
      "Only single-refund options are allowed",
      (order) => changeInput(order, ({ refunds }) => ({ refunds: [...refunds, ...refunds] })),
    ],
    ["Non-matching refund option", (order) => changeRefunds(order, { currency: other })],
    [
      "Only single-output payment orders are allowed",
      (order) =>
        void (order.output = { ...order.output, payments: [...order.output.payments, ...order.output.payments] }),
    ],
    [
      "Fee currency must match the input currency",
      (order) => void (order.fees = order.fees.map((fee) => ({ ...fee, currency: other }))),
    ],
  ];
  it("supports only simple orders", async () => {
    for (const [message, change] of plainOnly) {
      const deposited = await place(change);
      for (const route of [FILL, REFUND] as const) await expectRejected(route, bodyOf(deposited), message);
    }
    const toDepositor = bodyOf(await place((order) => changeRefunds(order, { recipient: zeroAddress })));
    await expectRejected(REFUND, toDepositor, "Non-matching refund option");
    expect((await attest(FILL, toDepositor)).status).to.equal(200);
    const withCalls = bodyOf(await place((order) => void (order.output = { ...order.output, calls: ["0x12"] })));
    await expectRejected(FILL, withCalls, "Only orders without calls are allowed");
    expect((await attest(REFUND, withCalls)).status).to.equal(200);
    const { order, ...deposited } = await place();
    const inputs = order.inputs.map(({ payment, ...input }) => ({ ...input, payment: { ...payment, weight: "0x01" } }));
    expect((await attest(FILL, bodyOf({ ...deposited, order: { ...order, inputs } }))).status).to.equal(200);
  });

  it("is rejected if the deposit does not belong to the order", async () => {
    const deposited = await place();
    const bare = await suite.network.send({ to: recipient, value: 1n });
    for (const [change, message] of [
      [{ transactionId: bare }, "No depository-deposit messages attested"],
      [{ onchainId: zeroHash }, "Could not find corresponding deposit"],
      [{ order: simpleOrder(suite.network, 999n) }, "Deposit does not reference order id"],
      [{ orderSignature: "0x12" }, "Invalid order signature"],
      [{ chainId: "other" }, "Chain other is not available"],
    ] as const) {
      await expectRejected(FILL, bodyOf(deposited, change), message);
    }
    const currency = suite.contracts.dollar.toLowerCase() as Address;
    const inDollars = await place(undefined, { currency, paidIn: zeroAddress });
    await expectRejected(FILL, bodyOf(inDollars), "Deposit currency does not match order input currency");
    const elsewhere = await place((order) =>
      changeInput(order, ({ payment }) => ({ payment: { ...payment, chainId: "second" } })),
    );
    await using both = await suite.start({ hub, twin: "second" });
    await expectRejected(FILL, bodyOf(elsewhere), "Deposit chain id does not match order input chain id", both);
  });

  it("fails if no executor is configured", async () => {
    await using without = await suite.start();
    await suite.expectFailed(FILL, bodyOf(await place()), without);
  });
});
