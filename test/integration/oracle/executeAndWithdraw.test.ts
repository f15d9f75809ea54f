import { expect } from "chai";
import { TypedDataEncoder } from "ethers";
import { type Address, type Hex, recoverAddress, zeroAddress, zeroHash } from "viem";

import type { DepositsAttestation } from "../../../packages/protocol/src/attestation/messages/deposits.ts";
import type { ExecuteAndWithdrawAttestation } from "../../../packages/protocol/src/attestation/messages/executeAndWithdraw.ts";
import { hubAlias, orderAddress } from "../../../packages/sdk/src/attestation.ts";
import type { Order } from "../../../packages/protocol/src/index.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { FakePeer } from "../support/fakePeer.ts";
import {
  ask,
  CHAIN,
  executionSigners,
  ORACLE_SIGNER,
  type OracleNetwork,
  startOracleNetwork,
  startTestOracle,
} from "../support/oracleNetwork.ts";
import { type DepositedOrder, depositFor, simpleOrder } from "../support/orders.ts";

const FILL = "/attestations/withdraw-and-fill/v1";
const REFUND = "/attestations/withdraw-and-refund/v1";
const EXECUTOR: Address = "0x0000000000000000000000000000000000e8ec07";
const NONCE: Hex = `0x${"9e".repeat(32)}`;
const { user, stranger } = localAccounts;
const recipient = stranger.address.toLowerCase() as Address;

describe("an attestation of a settlement out of a depository", () => {
  let network: OracleNetwork;
  let oracle: Oracle;
  let peer: Oracle;
  let liar: FakePeer;
  let salt = 0n;

  before(async () => {
    network = await startOracleNetwork();
    const hub = { executorAddress: EXECUTOR };
    const privateKey: Hex = `0x${"6b".repeat(32)}`;
    peer = await startTestOracle(network, { hub, settings: { signing: { module: "raw-private-key", privateKey } } });
    liar = await FakePeer.start();
    oracle = await startTestOracle(network, {
      hub,
      settings: { peers: [peer, liar].map(({ url }) => ({ baseUrl: url, apiKey: "k" })) },
    });
  });
  after(async () => {
    await oracle.close();
    await peer.close();
    await liar.close();
    await network.close();
  });

  type Draft = { -readonly [Field in keyof Order]: Order[Field] };
  async function paid(change: (order: Draft) => void = () => undefined, currency?: Address): Promise<DepositedOrder> {
    salt += 1n;
    const order = structuredClone<Draft>(simpleOrder(network, salt, currency));
    change(order);
    return depositFor(network, oracle, order);
  }
  const bodyOf = ({ transactionId, onchainId, order, orderSignature }: DepositedOrder, change: object = {}) => ({
    chainId: CHAIN,
    transactionId,
    onchainId,
    order,
    orderSignature,
    nonce: NONCE,
    ...change,
  });
  const attest = (path: string, body: object) => ask<ExecuteAndWithdrawAttestation>(oracle, path, body);
  const refusalOf = async (path: string, body: object) => {
    const { status, body: answer } = await ask(oracle, path, body);
    return [status, answer.message];
  };

  const signersOf = async (request: ExecuteAndWithdrawAttestation["executeAndWithdrawRequest"]) => {
    const { signatures, ...message } = request;
    const digest = TypedDataEncoder.hash(
      { name: "RelayExecutor", version: "1", chainId: 31_337, verifyingContract: EXECUTOR },
      {
        ExecuteAndWithdrawRequest: [
          { name: "inChainId", type: "string" },
          { name: "inCurrency", type: "bytes" },
          { name: "outChainId", type: "string" },
          { name: "outCurrency", type: "bytes" },
          { name: "outAmountMinimum", type: "uint256" },
          { name: "depository", type: "bytes" },
          { name: "orderAddress", type: "address" },
          { name: "receiver", type: "bytes" },
          { name: "data", type: "bytes" },
          { name: "fees", type: "Fee[]" },
          { name: "nonce", type: "bytes32" },
          { name: "deadline", type: "uint256" },
        ],
        Fee: [
          { name: "recipient", type: "address" },
          { name: "amount", type: "uint256" },
        ],
      },
      message,
    ) as Hex;
    const signers = await Promise.all(
      signatures.map(({ signature }) => recoverAddress({ hash: digest, signature: signature as Hex })),
    );
    return signers.map((address) => address.toLowerCase());
  };

  for (const [path, currencyName, expected] of [
    [FILL, "native", { outAmountMinimum: "900", amounts: ["17", "5"], deadline: "4000000000" }],
    [REFUND, "dollar", { outAmountMinimum: "990", amounts: ["3"], deadline: "3999999999" }],
  ] as const) {
    it(`reports the depository's remaining balance for ${path}, with the deposit's own execution`, async () => {
      liar.answer = () => Promise.resolve({});
      const currency = currencyName === "native" ? zeroAddress : network.contracts.dollar.toLowerCase();
      const deposited = await paid(undefined, currency as Address);
      const { status, body } = await attest(path, { ...bodyOf(deposited), requestPeerSignatures: true });
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(Object.keys(body)).to.deep.equal(["executeAndWithdrawRequest", "execution"]);
      const { signatures, ...request } = body.executeAndWithdrawRequest;
      expect(request).to.deep.equal({
        inChainId: CHAIN,
        inCurrency: currency,
        outChainId: CHAIN,
        outCurrency: currency,
        outAmountMinimum: expected.outAmountMinimum,
        depository: network.contracts.depository.toLowerCase(),
        orderAddress: orderAddress({
          chainId: CHAIN,
          depositor: user.address.toLowerCase() as Hex,
          depositTimestamp: deposited.timestamp,
          depositId: deposited.orderId,
        }),
        receiver: recipient,
        data: "0x",
        nonce: NONCE,
        deadline: expected.deadline,
        fees: expected.amounts.map((amount) => ({ recipient: hubAlias(CHAIN, recipient), amount })),
      });
      expect(await signersOf(body.executeAndWithdrawRequest)).to.deep.equal([ORACLE_SIGNER, peer.signer]);
      const contract = { executorChainId: "31337", executorContract: EXECUTOR };
      expect(signatures.map(({ signature: _, ...rest }) => rest)).to.deep.equal([
        { ...contract, oracleSigner: ORACLE_SIGNER },
        { ...contract, oracleSigner: peer.signer },
      ]);
      expect(await executionSigners(body.execution!)).to.deep.equal([ORACLE_SIGNER, peer.signer]);
      // The attestation of the deposit contains the same.
      const { body: deposits } = await ask<DepositsAttestation>(oracle, "/attestations/depository-deposits/v1", {
        chainId: CHAIN,
        transactionId: deposited.transactionId,
      });
      expect({ ...body.execution, signatures: [body.execution!.signatures[0]] }).to.deep.equal(deposits.execution);
    });
  }

  it("accepts only a peer's signers of both messages", async () => {
    const deposited = await paid();
    const { body: theirs } = await ask<ExecuteAndWithdrawAttestation>(peer, FILL, bodyOf(deposited));
    const { executeAndWithdrawRequest: request, execution } = theirs;
    await using alone = await startTestOracle(network, {
      hub: { executorAddress: EXECUTOR },
      settings: { peers: [{ baseUrl: liar.url, apiKey: "k" }] },
    });
    const seen = async (answer: object) => {
      liar.answer = () => Promise.resolve(answer);
      const body = { ...bodyOf(deposited), requestPeerSignatures: true };
      const { body: own } = await ask<ExecuteAndWithdrawAttestation>(alone, FILL, body);
      return [own.executeAndWithdrawRequest.signatures.length, own.execution!.signatures.length];
    };
    expect(await seen(theirs)).to.deep.equal([2, 2]);
    const forged = { ...execution!.signatures[0]!, signature: request.signatures[0]!.signature };
    for (const lie of [
      { execution },
      { executeAndWithdrawRequest: request },
      { ...theirs, execution: { ...execution, signatures: [forged] } },
      { ...theirs, executeAndWithdrawRequest: { ...request, outAmountMinimum: "1" } },
      { ...theirs, executeAndWithdrawRequest: { ...request, fees: [] } },
    ]) {
      expect(await seen(lie)).to.deep.equal([1, 1]);
    }
  });

  it("is rejected for other orders than plain ones", async () => {
    const other: Address = "0x9999999999999999999999999999999999999999";
    const refusals: [(order: Draft) => void, string][] = [
      [(order) => void (order.inputs = [...order.inputs, ...order.inputs]), "Only single-input orders are allowed"],
      [
        (order) =>
          void (order.inputs = order.inputs.map((input) => ({ ...input, payment: { ...input.payment, weight: "2" } }))),
        "Wrong weight for order input",
      ],
      [
        (order) => void (order.inputs = order.inputs.map((input) => ({ ...input, refunds: [] }))),
        "Only single-refund options are allowed",
      ],
      [
        (order) =>
          void (order.inputs = order.inputs.map((input) => ({
            ...input,
            refunds: [...input.refunds, ...input.refunds],
          }))),
        "Only single-refund options are allowed",
      ],
      [
        (order) =>
          void (order.inputs = order.inputs.map((input) => ({
            ...input,
            refunds: input.refunds.map((refund) => ({ ...refund, currency: other })),
          }))),
        "Non-matching refund option",
      ],
      [
        (order) =>
          void (order.output = { ...order.output, payments: [...order.output.payments, ...order.output.payments] }),
        "Only single-output payment orders are allowed",
      ],
      [
        (order) => void (order.fees = order.fees.map((fee) => ({ ...fee, currency: other }))),
        "Fee currency must match the input currency",
      ],
    ];
    for (const [change, message] of refusals) {
      const deposited = await paid(change);
      for (const path of [FILL, REFUND]) expect(await refusalOf(path, bodyOf(deposited))).to.deep.equal([400, message]);
    }
    const toNobody = await paid((order) => {
      order.inputs = order.inputs.map((input) => ({
        ...input,
        refunds: input.refunds.map((refund) => ({ ...refund, recipient: zeroAddress })),
      }));
    });
    expect(await refusalOf(REFUND, bodyOf(toNobody))).to.deep.equal([400, "Non-matching refund option"]);
    expect((await attest(FILL, bodyOf(toNobody))).status).to.equal(200);
    const withCalls = await paid((order) => void (order.output = { ...order.output, calls: ["0x12"] }));
    expect(await refusalOf(FILL, bodyOf(withCalls))).to.deep.equal([400, "Only orders without calls are allowed"]);
    expect((await attest(REFUND, bodyOf(withCalls))).status).to.equal(200);
  });

  it("is rejected if the deposit is not the order's", async () => {
    const deposited = await paid();
    const bare = await network.send({ to: recipient, value: 1n });
    const refusals: [object, string][] = [
      [bodyOf(deposited, { transactionId: bare }), "No depository-deposit messages attested"],
      [bodyOf(deposited, { onchainId: zeroHash }), "Could not find corresponding deposit"],
      [bodyOf(deposited, { order: simpleOrder(network, 999n) }), "Deposit does not reference order id"],
      [bodyOf(deposited, { orderSignature: "0x12" }), "Invalid order signature"],
      [bodyOf(deposited, { chainId: "other" }), "Chain other is not available"],
    ];
    for (const [body, message] of refusals) expect(await refusalOf(FILL, body)).to.deep.equal([400, message]);
  });

  it("is rejected if the deposit is in another currency, or on another chain, than the order's input", async () => {
    salt += 1n;
    const inDollars = simpleOrder(network, salt, network.contracts.dollar.toLowerCase() as Address);
    expect(await refusalOf(FILL, bodyOf(await depositFor(network, oracle, inDollars, zeroAddress)))).to.deep.equal([
      400,
      "Deposit currency does not match order input currency",
    ]);
    const elsewhere = await paid((order) => {
      order.inputs = order.inputs.map((input) => ({ ...input, payment: { ...input.payment, chainId: "second" } }));
    });
    await using both = await startTestOracle(network, { hub: { executorAddress: EXECUTOR }, twin: "second" });
    expect(await ask(both, FILL, bodyOf(elsewhere))).to.deep.include({
      status: 400,
      body: { message: "Deposit chain id does not match order input chain id" },
    });
  });

  it("waits for the deposit to be final", async () => {
    const deposited = await paid();
    await using patient = await startTestOracle(network, {
      additionalData: { finalizationBlocks: 50, finalizationTime: 0 },
      hub: { executorAddress: EXECUTOR },
    });
    expect(await ask(patient, FILL, bodyOf(deposited))).to.deep.include({
      status: 400,
      body: { message: `Transaction ${deposited.transactionId} is not finalized` },
    });
    await using without = await startTestOracle(network);
    expect((await ask(without, FILL, bodyOf(deposited))).status).to.equal(500);
  });
});
