import { createHash } from "node:crypto";

import { expect } from "chai";
import {
  type Address,
  concat,
  encodeEventTopics,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  numberToHex,
  pad,
  zeroAddress,
  zeroHash,
} from "viem";

import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import {
  expectRefused,
  familyOrder,
  familyOrderId,
  familyRoutes,
  INTERNAL_ERROR,
  startFamilyOracle,
} from "./support/familyOracle.ts";
import { jsonRpc, type RecordedServer, startRecordedServer } from "./support/recordedServer.ts";
import { creditedOf, expectExecution, idOf, mintOf, tokenOf } from "./support/vectors.ts";

const TIME = 1_790_000_000;
const LATEST = 20_000_100;
const ID: Hex = `0x${"c1".repeat(32)}`;
const OTHER_ID: Hex = `0x${"c2".repeat(32)}`;
const addressOf = (name: string): Address => `0x${createHash("sha256").update(name).digest("hex").slice(0, 40)}`;
const [alice, bob, depository, router, token] = ["alice", "bob", "depository", "router", "token"].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
/** A TIP-20 token that pays the fee of a Tempo transaction. */
const FEE_TOKEN = "0x20c0000000000000000000000000000000000000";
/** The token of the native currency on zkSync chains, and the account that collects fees. */
const [ZKSYNC_NATIVE, BOOTLOADER] = [
  "0x000000000000000000000000000000000000800a",
  "0x0000000000000000000000000000000000008001",
] as const;

interface Log {
  readonly address: Address;
  readonly topics: readonly unknown[];
  readonly data: Hex;
}

function movement(from: Address, to: Address, amount: bigint, of: Address = token): Log {
  const topics = encodeEventTopics({ abi: erc20Abi, eventName: "Transfer", args: { from, to } });
  return { address: of, topics, data: pad(numberToHex(amount)) };
}

const transferOf = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });

/** A transaction as its chain's node reports it, without its place in the chain. */
interface Sent {
  readonly transaction: object;
  readonly receipt?: object;
  readonly logs: readonly Log[];
}

/** A node of one chain with an oracle that reads it. */
class EvmShapes {
  readonly chainId: string;
  readonly routes: ReturnType<typeof familyRoutes>;
  private readonly sent = new Map<string, Sent>();
  private node: RecordedServer | undefined;
  private oracle: Oracle | undefined;

  constructor(chainId: string) {
    this.chainId = chainId;
    this.routes = familyRoutes(() => this.oracle!, chainId);
  }

  async start(additionalData: object = {}): Promise<void> {
    this.node = await startRecordedServer(jsonRpc((method, [first]) => this.answer(method, first as string)));
    const chain = { id: this.chainId, vmType: "ethereum-vm", httpRpcUrl: this.node.url, depository } as const;
    this.oracle = await startFamilyOracle({ chain: { ...chain, additionalData } });
  }

  async stop(): Promise<void> {
    await this.oracle?.close();
    this.node?.close();
  }

  happen(sent: Sent): Hex {
    const hash = pad(numberToHex(this.sent.size + 1));
    this.sent.set(hash, sent);
    return hash;
  }

  /** Expects one deposit of 8 of the token by Alice, and its mint. */
  async expectDeposit(sent: Sent, depositId: Hex): Promise<void> {
    const { chainId } = this;
    const transactionId = this.happen(sent);
    const index = 5 + sent.logs.findIndex(({ address }) => address === token);
    const { status, body } = await this.routes.deposits(transactionId);
    const result = { onchainId: idOf(chainId, transactionId, index), depository, currency: token, depositor: alice };
    expect({ status, messages: body.messages }).to.deep.equal({
      status: 200,
      messages: [
        {
          data: { chainId, transactionId },
          result: { ...result, amount: "8", depositId },
          extraData: { timestamp: TIME.toString() },
        },
      ],
    });
    const account = creditedOf(chainId, alice, TIME, depositId);
    await expectExecution(body.execution, idOf(chainId, transactionId), [mintOf(account, tokenOf(chainId, token), 8n)]);
  }

  private answer(method: string, first: string): unknown {
    const blockHash = pad("0xb10c");
    const block = { hash: blockHash, number: numberToHex(LATEST - 20), timestamp: numberToHex(TIME) };
    if (method === "eth_getBlockByNumber") {
      if (first !== "latest") return block;
      return { hash: pad("0x77"), number: numberToHex(LATEST), timestamp: numberToHex(TIME + 60) };
    }
    const sent = this.sent.get(first);
    if (sent === undefined) return null;
    const place = { blockHash, blockNumber: block.number, transactionIndex: "0x0" };
    if (method === "eth_getTransactionByHash") return { hash: first, ...place, from: alice, ...sent.transaction };
    const logs = sent.logs.map((log, index) => ({ ...log, ...place, logIndex: numberToHex(index + 5) }));
    return { transactionHash: first, ...place, status: "0x1", logs, ...sent.receipt };
  }
}

describe("the oracle on Tempo", () => {
  const chain = new EvmShapes("tempo");
  before(() => chain.start());
  after(() => chain.stop());

  interface Call {
    readonly to?: Address | null;
    readonly input?: Hex;
    readonly value?: Hex;
  }

  /** A transaction of type 0x76: without `to`, `input` and `value` of its own. */
  const batch = (calls: readonly Call[], logs: readonly Log[]): Sent => ({
    transaction: {
      type: "0x76",
      chainId: "0x1079",
      nonce: "0x0",
      nonceKey: "0x0",
      gas: "0x43f5d",
      gasPrice: "0x2ca6ae494",
      maxFeePerGas: "0x2ca6ae494",
      maxPriorityFeePerGas: "0x1",
      feeToken: FEE_TOKEN,
      feePayerSignature: null,
      accessList: [],
      aaAuthorizationList: [],
      keyAuthorization: null,
      validAfter: null,
      validBefore: null,
      calls,
      signature: { type: "secp256k1", r: pad("0x01"), s: pad("0x02"), yParity: "0x0", v: "0x0" },
    },
    receipt: { type: "0x76", feePayer: alice, feeToken: FEE_TOKEN },
    logs: [...logs, movement(alice, pad("0xfeec", { size: 20 }), 3n, FEE_TOKEN)],
  });
  const callOf = (to: Address, input: Hex): Call => ({ to, input, value: "0x0" });
  const approval = callOf(token, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [router, 8n] }));

  it("reads the id of a deposit behind a transfer in the first call, like the public oracle", async () => {
    const logs = [movement(alice, depository, 8n)];
    const transfer = transferOf(depository, 8n);
    const withId = callOf(token, concat([transfer, ID]));
    for (const [calls, id] of [
      [[withId], ID],
      [[withId, approval, callOf(router, "0x1234")], ID],
      [[callOf(router, concat(["0x12345678", transfer, ID]))], ID],
      [[withId, callOf(token, concat([transfer, OTHER_ID]))], ID],
      [[approval, withId], zeroHash],
      [[{ to: null }, {}, withId], zeroHash],
      [[callOf(token, transfer)], zeroHash],
      [[], zeroHash],
    ] as const) {
      await chain.expectDeposit(batch(calls, logs), id);
    }
  });

  it("fails for calls of another shape, and for another type without the fields of a single call", async () => {
    const logs = [movement(alice, depository, 8n)];
    const good = batch([callOf(token, transferOf(depository, 8n))], logs);
    for (const change of [{ calls: [{ to: "0x12" }] }, { type: "0x77" }]) {
      const id = chain.happen({ ...good, transaction: { ...good.transaction, ...change } });
      expect(await chain.routes.deposits(id)).to.deep.equal(INTERNAL_ERROR);
    }
  });

  it("attests fills by the input of the first call only", async () => {
    const order = familyOrder({ chainId: "tempo", currency: token, recipient: bob, amount: "40" });
    const orderId = familyOrderId(order, (address) => address as Hex);
    const deposit = chain.happen(
      batch([callOf(token, concat([transferOf(depository, 40n), orderId]))], [movement(alice, depository, 40n)]),
    );
    const paidBy = { transactionId: deposit, onchainId: idOf("tempo", deposit, 5) };
    const { fill, refund } = chain.routes;
    const named = callOf(token, concat([transferOf(bob, 40n), orderId]));
    const logs = [movement(alice, bob, 40n)];
    const again = [callOf(router, concat(["0x12345678", orderId])), callOf(token, concat([transferOf(bob, 1n), ID]))];
    for (const calls of [[named], again]) {
      const id = chain.happen(batch(calls, logs));
      const filled = await fill(order, orderId, paidBy, id);
      expect(filled.status).to.equal(200);
      // It pays once, so it is not a refund too.
      await expectRefused(
        refund(order, orderId, paidBy, id),
        `Ambiguous payment of 40: it could be output payment 0 of order ${orderId} ` +
          `or the refund of input 0 of order ${orderId}, and counts once`,
      );
    }
    for (const calls of [[callOf(token, concat([transferOf(bob, 1n), ID])), named], [approval, named], []]) {
      const id = chain.happen(batch(calls, logs));
      await expectRefused(fill(order, orderId, paidBy, id), `Transaction ${id} does not reference order id`);
    }
    const short = chain.happen(batch([named], [movement(alice, bob, 39n)]));
    await expectRefused(
      fill(order, orderId, paidBy, short),
      "Insufficient fill amount for order output payment 0 (paidAmount=39, minimumAmount=40)",
    );
  });

  it("reads orders whose amounts are written in hexadecimal or with leading zeros", async () => {
    const made = familyOrder({ chainId: "tempo", currency: token, recipient: bob, amount: "1000", salt: 2 });
    const orderId = familyOrderId(made, (address) => address as Hex);
    const order = {
      ...made,
      inputs: made.inputs.map(({ payment, refunds }) => ({
        payment: { ...payment, amount: "0x3e8", weight: "01" },
        refunds: refunds.map((other) => ({ ...other, minimumAmount: "0x3E8" })),
      })),
      output: {
        ...made.output,
        payments: made.output.payments.map((other) => ({ ...other, minimumAmount: "01000", expectedAmount: "0x3e8" })),
      },
      fees: made.fees.map((fee) => ({ ...fee, amount: "0x03" })),
    };
    const paid = chain.happen(
      batch([callOf(token, concat([transferOf(depository, 1000n), orderId]))], [movement(alice, depository, 1000n)]),
    );
    const paidBy = { transactionId: paid, onchainId: idOf("tempo", paid, 5) };
    const input = concat([transferOf(bob, 1000n), orderId]);
    const sent = chain.happen(batch([callOf(token, input)], [movement(alice, bob, 1000n)]));
    const [plain, spelled] = await Promise.all(
      [made, order].map((one) => chain.routes.fill(one, orderId, paidBy, sent)),
    );
    expect(spelled?.status).to.equal(200);
    expect(spelled?.body.execution).to.deep.equal(plain?.body.execution);
    expect(spelled?.body.message.data.order).to.deep.equal(order);
  });
});

describe("the oracle on zkSync chains", () => {
  const chain = new EvmShapes("zksync");
  before(() => chain.start({ isZksyncStack: true }));
  after(() => chain.stop());

  const sentTo = (to: Address, input: Hex, native: readonly Log[] = []): Sent => ({
    transaction: { type: "0x71", to, input, value: "0x0", l1BatchNumber: "0x5a2d", l1BatchTxIndex: "0x1681" },
    receipt: { type: "0x71", to, l1BatchNumber: "0x5a2d", l1BatchTxIndex: "0x1681", l2ToL1Logs: [] },
    logs: [
      movement(alice, BOOTLOADER, 900n, ZKSYNC_NATIVE),
      ...native,
      movement(alice, depository, 8n),
      movement(BOOTLOADER, alice, 100n, ZKSYNC_NATIVE),
    ],
  });

  it("reads the id of a deposit behind its transfer, unless the transaction also deposits native currency", async () => {
    const transfer = transferOf(depository, 8n);
    for (const [sent, id] of [
      [sentTo(token, concat([transfer, ID])), ID],
      [sentTo(router, concat(["0x12345678", transfer, ID])), ID],
      [sentTo(zeroAddress, concat([transfer, ID])), ID],
      [sentTo(token, concat([transfer, pad("0x05")])), zeroHash],
      [sentTo(token, transfer), zeroHash],
      [sentTo(token, concat([transfer, ID]), [movement(alice, depository, 5n, ZKSYNC_NATIVE)]), zeroHash],
    ] as const) {
      await chain.expectDeposit(sent, id);
    }
  });
});
