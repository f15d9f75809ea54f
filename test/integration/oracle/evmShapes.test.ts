import { expect } from "chai";
import { type Address, concat, encodeFunctionData, erc20Abi, type Hex, pad, zeroAddress, zeroHash } from "viem";

import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { expectRejection, familySuite, INTERNAL_ERROR, startFamilyOracle, tooLittle } from "./support/familyOracle.ts";
import { jsonRpc, type RecordedServer, startRecordedServer } from "./support/recordedServer.ts";
import {
  addressOf,
  EvmWorld,
  FIRST_LOG,
  type Log,
  movement,
  nativeDeposit,
  nativePayment,
  type Sent,
} from "./vectors/world.ts";

const ID: Hex = `0x${"c1".repeat(32)}`;
const OTHER_ID: Hex = `0x${"c2".repeat(32)}`;
const [alice, bob, depository, second, router, token] = [
  ...["alice", "bob", "depository", "second", "router", "token"].map(addressOf),
] as [Address, Address, Address, Address, Address, Address];
/** TIP-20 token in which a Tempo transaction pays its fee. */
const FEE_TOKEN = "0x20c0000000000000000000000000000000000000";
/** Addresses of the native currency token and of the fee account on zkSync chains. */
const [ZKSYNC_NATIVE, BOOTLOADER] = [
  "0x000000000000000000000000000000000000800a",
  "0x0000000000000000000000000000000000008001",
] as const;

const transferOf = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });
const moved = (to: Address, amount: bigint): Log => movement(token, alice, to, amount);

/**
 * Starts a stand-in for a chain's node and an oracle that uses it. Returns functions that send requests to the
 * oracle.
 */
function openChain(chainId: string, payFor: (orderId: Hex, amount: bigint) => Sent, additionalData: object = {}) {
  const world = new EvmWorld(chainId);
  let node: RecordedServer;
  let oracle: Oracle;
  const suite = familySuite({
    order: { chainId, currency: token, recipient: bob },
    depository,
    encode: (address) => address as Hex,
    index: FIRST_LOG,
    deposit: (orderId, { inputs: [input] }) => world.happen(payFor(orderId, BigInt(input!.payment.amount))),
    oracle: () => oracle,
  });
  before(async () => {
    node = await startRecordedServer(jsonRpc((method, params) => world.answer(method, params)));
    const depositories = { depository, additionalDepositories: [second] };
    const chain = {
      id: chainId,
      vmType: "ethereum-vm",
      httpRpcUrl: node.url,
      ...depositories,
      additionalData,
    } as const;
    oracle = await startFamilyOracle({ chain });
  });
  after(async () => {
    await oracle.close();
    node.close();
  });
  return {
    ...suite,
    happen: (sent: Sent) => world.happen(sent),
    /** Expects that the oracle reports one deposit, of 8 token units from Alice, and its mint. */
    expectDeposit: async (sent: Sent, id: Hex): Promise<void> => {
      const index = FIRST_LOG + (sent.logs ?? []).findIndex(({ address }) => address === token);
      const deposit = { index, id, depositor: alice, amount: 8n, timestamp: EvmWorld.timeAt() };
      await suite.expectDeposits(world.happen(sent), [deposit]);
    },
  };
}

describe("the oracle on Tempo", () => {
  interface Call {
    readonly to?: Address | null;
    readonly input?: Hex;
    readonly value?: Hex;
  }
  const callOf = (to: Address, input: Hex): Call => ({ to, input, value: "0x0" });
  const approval = callOf(token, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [router, 8n] }));
  const named = (to: Address, amount: bigint, id: Hex) => callOf(token, concat([transferOf(to, amount), id]));

  /** Returns a transaction of type 0x76, which has no `to`, `input` or `value`. */
  const batch = (calls: readonly Call[], logs: readonly Log[], change: object = {}): Sent => ({
    change: {
      ...{ to: undefined, input: undefined, value: undefined },
      ...{ type: "0x76", chainId: "0x1079", nonce: "0x0", nonceKey: "0x0", gas: "0x43f5d", gasPrice: "0x2ca6ae494" },
      ...{ maxFeePerGas: "0x2ca6ae494", maxPriorityFeePerGas: "0x1", feeToken: FEE_TOKEN, feePayerSignature: null },
      ...{ accessList: [], aaAuthorizationList: [], keyAuthorization: null, validAfter: null, validBefore: null },
      signature: { type: "secp256k1", r: pad("0x01"), s: pad("0x02"), yParity: "0x0", v: "0x0" },
      calls,
      ...change,
    },
    logs: [...logs, movement(FEE_TOKEN, alice, pad("0xfeec", { size: 20 }), 3n)],
  });
  const { deposits, expectDeposit, happen, place } = openChain("tempo", (orderId, amount) =>
    batch([named(depository, amount, orderId)], [moved(depository, amount)]),
  );

  it("reads the deposit id appended to a transfer in the first call, like the public oracle", async () => {
    const transfer = transferOf(depository, 8n);
    const withId = named(depository, 8n, ID);
    for (const [calls, id] of [
      [[withId], ID],
      [[withId, approval, callOf(router, "0x1234")], ID],
      [[callOf(router, concat(["0x12345678", transfer, ID]))], ID],
      [[withId, named(depository, 8n, OTHER_ID)], ID],
      [[approval, withId], zeroHash],
      [[{ to: null }, {}, withId], zeroHash],
      [[callOf(token, transfer)], zeroHash],
      [[], zeroHash],
    ] as const) {
      await expectDeposit(batch(calls, [moved(depository, 8n)]), id);
    }
  });

  it("fails for calls with another structure, and for other transaction types without the fields of a single call", async () => {
    for (const change of [{ calls: [{ to: "0x12" }] }, { type: "0x77" }]) {
      const id = happen(batch([callOf(token, transferOf(depository, 8n))], [moved(depository, 8n)], change));
      expect(await deposits(id)).to.deep.equal(INTERNAL_ERROR);
    }
  });

  it("attests fills only from the input of the first call", async () => {
    const { orderId, fill, refund, expectUnfilled } = await place();
    const payment = named(bob, 40n, orderId);
    const again = [callOf(router, concat(["0x12345678", orderId])), named(bob, 1n, ID)];
    for (const calls of [[payment], again]) {
      const id = happen(batch(calls, [moved(bob, 40n)]));
      expect((await fill(id)).status).to.equal(200);
      // The transfer already counts as a payment, so it cannot also be a refund.
      await expectRejection(
        refund(id),
        `Ambiguous payment of 40: it could be output payment 0 of order ${orderId} ` +
          `or the refund of input 0 of order ${orderId}, and counts once`,
      );
    }
    const foreign = "Transaction {tx} does not reference order id";
    await expectUnfilled([
      ...[[named(bob, 1n, ID), payment], [approval, payment], []].map(
        (calls) => [happen(batch(calls, [moved(bob, 40n)])), foreign] as const,
      ),
      [happen(batch([payment], [moved(bob, 39n)])), tooLittle(39)],
      // Anyone can execute the recipient's own withdrawal and add the order id.
      ...[depository, second].map(
        (from) => [happen(batch([payment], [movement(token, from, bob, 40n)])), tooLittle(0)] as const,
      ),
    ]);
  });

  it("reads orders with amounts in hexadecimal or with leading zeros", async () => {
    const { order, orderId, fill } = await place({ amount: "1000" });
    const { inputs, output, fees } = order;
    const spelled = {
      ...order,
      inputs: inputs.map(({ payment, refunds }) => ({
        payment: { ...payment, amount: "0x3e8", weight: "01" },
        refunds: refunds.map((other) => ({ ...other, minimumAmount: "0x3E8" })),
      })),
      output: {
        ...output,
        payments: output.payments.map((other) => ({ ...other, minimumAmount: "01000", expectedAmount: "0x3e8" })),
      },
      fees: fees.map((fee) => ({ ...fee, amount: "0x03" })),
    };
    const paid = happen(batch([named(bob, 1000n, orderId)], [moved(bob, 1000n)]));
    const [plain, other] = [await fill(paid), await fill(paid, { order: spelled })];
    expect(other.status).to.equal(200);
    expect(other.body.execution).to.deep.equal(plain.body.execution);
    expect(other.body.message.data.order).to.deep.equal(spelled);
  });
});

describe("the oracle on zkSync chains", () => {
  const sentTo = (to: Address, input: Hex, native: readonly Log[] = []): Sent => ({
    ...{ to, input, change: { type: "0x71", l1BatchNumber: "0x5a2d", l1BatchTxIndex: "0x1681" } },
    logs: [
      movement(ZKSYNC_NATIVE, alice, BOOTLOADER, 900n),
      ...native,
      moved(depository, 8n),
      movement(ZKSYNC_NATIVE, BOOTLOADER, alice, 100n),
    ],
  });
  const { expectDeposit, happen, place } = openChain(
    "zksync",
    (id, amount) => ({ logs: [nativeDeposit(depository, alice, amount, id)] }),
    { isZksyncStack: true },
  );

  it("reads the deposit id appended to the transfer's call data, unless the transaction also deposits native currency", async () => {
    const transfer = transferOf(depository, 8n);
    for (const [sent, id] of [
      [sentTo(token, concat([transfer, ID])), ID],
      [sentTo(router, concat(["0x12345678", transfer, ID])), ID],
      [sentTo(zeroAddress, concat([transfer, ID])), ID],
      [sentTo(token, concat([transfer, pad("0x05")])), zeroHash],
      [sentTo(token, transfer), zeroHash],
      [sentTo(token, concat([transfer, ID]), [movement(ZKSYNC_NATIVE, alice, depository, 5n)]), zeroHash],
    ] as const) {
      await expectDeposit(sent, id);
    }
  });

  it("counts a payment in native currency, which its token also reports, only once", async () => {
    const { orderId, fill } = await place({}, ({ output, ...order }) => ({
      ...order,
      output: {
        ...output,
        extraData: pad(router),
        payments: [zeroAddress, ZKSYNC_NATIVE].map((currency) => ({ ...output.payments[0]!, currency })),
      },
    }));
    const paying = (amount: bigint) =>
      happen({
        input: concat(["0x12345678", orderId]),
        logs: [movement(ZKSYNC_NATIVE, router, bob, amount), nativePayment(router, bob, amount)],
      });
    const [first, second] = [0, 1].map((index) => `output payment ${index} of order ${orderId}`);
    const message = `Ambiguous payment of 40: it could be ${first} or ${second}, and counts once`;
    await expectRejection(fill(paying(40n)), message);
    expect((await fill(paying(80n))).status).to.equal(200);
  });
});
