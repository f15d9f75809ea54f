import { expect } from "chai";
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeEventTopics,
  erc20Abi,
  type Hex,
  keccak256,
  zeroAddress,
} from "viem";

import { SOLVER_ADDRESS } from "../../../../packages/protocol/src/chains/serviceAddresses.ts";
import { hashedCallAbi, ROUTER_ADDRESS, ROUTERS } from "../../../../packages/protocol/src/generations/routers.ts";
import type { PlannedStep } from "../../../../packages/protocol/src/quote/planSteps.ts";
import type { Quote } from "../../../../packages/protocol/src/quote/quote.ts";
import type { QuoteRequest } from "../../../../packages/protocol/src/quote/quoteRequest.ts";
import { serviceTrust } from "../../../../packages/sdk/src/verify/trust.ts";
import { verifyFill } from "../../../../packages/sdk/src/verify/verifyFill.ts";
import { routerAbi } from "../../../../packages/protocol/src/abi/service.generated.ts";

const USER = "0x03508bb71268bba25ecacc8f620e01866650532c";
const STRANGER = "0x00000000000000000000000000000000000c0de5";
const TOKEN = "0x0b2c639c533813f4aa9d7837caf62653d097ff85";
const ORDER_ID: Hex = `0x${"ab".repeat(32)}`;
const REQUEST_ID: Hex = `0x${"cd".repeat(32)}`;
const MINIMUM = 1_000n;
const [PROXY] = serviceTrust[10]?.spenders ?? [];

type Logs = Parameters<typeof verifyFill>[1]["receipt"]["logs"];

const logOf = (address: Address, topics: readonly unknown[], data: Hex): Logs[number] => ({
  address,
  topics: topics as [Hex],
  data,
  blockHash: ORDER_ID,
  blockNumber: 1n,
  blockTimestamp: 1n,
  logIndex: 0,
  transactionHash: ORDER_ID,
  transactionIndex: 0,
  removed: false,
});
const transfer = (from: Address, to: Address, value: bigint, token: Address = TOKEN) =>
  logOf(
    token,
    encodeEventTopics({ abi: erc20Abi, eventName: "Transfer", args: { from, to } }),
    encodeAbiParameters([{ type: "uint256" }], [value]),
  );
const called = (to: Address, data: Hex, value: bigint, router: Address = ROUTER_ADDRESS) =>
  logOf(
    router,
    encodeEventTopics({ abi: routerAbi, eventName: "SolverCallExecuted" }),
    encodeAbiParameters([{ type: "address" }, { type: "bytes" }, { type: "uint256" }], [to, data, value]),
  );
const hashed = (to: Address, data: Hex, value: bigint, router: Address = ROUTERS[4].pairs.cancun.router) =>
  logOf(
    router,
    encodeEventTopics({ abi: hashedCallAbi, eventName: "SolverCallExecuted" }),
    encodeAbiParameters([{ type: "address" }, { type: "bytes32" }, { type: "uint256" }], [to, keccak256(data), value]),
  );
const received = (amount: bigint) =>
  logOf(
    ROUTER_ADDRESS,
    encodeEventTopics({ abi: routerAbi, eventName: "SolverNativeTransfer" }),
    encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [ROUTER_ADDRESS, amount]),
  );
const funded = (amount: bigint, from: Address = PROXY as Address) =>
  logOf(
    ROUTER_ADDRESS,
    encodeEventTopics({ abi: routerAbi, eventName: "FundsMovement" }),
    encodeAbiParameters(
      [{ type: "address" }, { type: "address" }, { type: "address" }, { type: "uint256" }, { type: "bytes" }],
      [from, ROUTER_ADDRESS, zeroAddress, amount, "0x"],
    ),
  );

const request = (change: Partial<QuoteRequest> = {}): QuoteRequest => ({
  user: USER,
  originChainId: 8453,
  destinationChainId: 10,
  originCurrency: zeroAddress,
  destinationCurrency: zeroAddress,
  tradeType: "EXACT_INPUT",
  amount: "1000",
  ...change,
});
const quoteOf = ({ destinationCurrency: currency }: QuoteRequest, hasOrder: boolean): Quote => {
  const amount = MINIMUM.toString();
  const payments = [{ recipient: USER, currency, minimumAmount: amount, expectedAmount: amount }];
  return {
    steps: [{ requestId: REQUEST_ID, items: [] }],
    details: { currencyOut: { currency: { chainId: 10, address: currency }, amount, minimumAmount: amount } },
    // An orderId without an order is not verified.
    protocol: { v2: { orderId: ORDER_ID, ...(hasOrder ? { orderData: { output: { payments } } } : {}) } },
  };
};

interface Fill {
  readonly from?: Address;
  readonly to?: Address;
  readonly id?: Hex;
  readonly value?: bigint;
  readonly logs?: Logs;
  readonly hasOrder?: boolean;
  readonly actions?: readonly PlannedStep[];
  readonly ownHashes?: readonly string[];
}

function problemOf(change: Partial<QuoteRequest>, fill: Fill) {
  const asked = request(change);
  return verifyFill(
    {
      request: asked,
      quote: quoteOf(asked, fill.hasOrder ?? true),
      actions: fill.actions ?? [],
      ownHashes: fill.ownHashes ?? [],
    },
    {
      transaction: {
        hash: ORDER_ID,
        from: fill.from ?? SOLVER_ADDRESS,
        to: fill.to ?? ROUTER_ADDRESS,
        input: concat(["0x1234", fill.id ?? ORDER_ID]),
        value: fill.value ?? 0n,
      },
      receipt: { status: "success", logs: fill.logs ?? [] },
    },
  );
}

describe("a transaction that fills a request", () => {
  const call = { to: STRANGER, data: "0x12", value: "7" } as const;
  const calls = { txs: [call] };
  const made = called(STRANGER, "0x12", 7n);

  it("pays native currency through one of the service's contracts if the solver sent the transaction", () => {
    for (const to of [ROUTER_ADDRESS, PROXY as Address]) expect(problemOf({}, { to })).to.equal(undefined);
    expect(problemOf({}, { from: STRANGER })).to.equal("tooLittle");
    expect(problemOf({}, { to: STRANGER, value: MINIMUM })).to.equal("tooLittle");
    expect(problemOf({}, { to: USER, value: MINIMUM })).to.equal(undefined);
  });

  it("delivers a token in one or more transfers to the recipient", () => {
    const token = { destinationCurrency: TOKEN };
    const half = transfer(SOLVER_ADDRESS, USER, MINIMUM / 2n);
    expect(problemOf(token, { logs: [half, half] })).to.equal(undefined);
    for (const other of [
      transfer(SOLVER_ADDRESS, STRANGER, MINIMUM),
      transfer(USER, USER, MINIMUM),
      transfer(SOLVER_ADDRESS, USER, MINIMUM, STRANGER),
    ]) {
      expect(problemOf(token, { logs: [half, other] })).to.equal("tooLittle");
    }
    const { destinationCurrency } = token;
    const elsewhere = { destinationCurrency, recipient: STRANGER };
    expect(problemOf(elsewhere, { logs: [transfer(SOLVER_ADDRESS, STRANGER, MINIMUM)] })).to.equal(undefined);
  });

  it("makes the calls from a pinned router, from any sender, with the received funds", () => {
    expect(problemOf(calls, { from: STRANGER, value: MINIMUM, logs: [made] })).to.equal(undefined);
    expect(problemOf(calls, { value: MINIMUM - 1n, logs: [made] })).to.equal("tooLittle");
    // Native currency arrives with the call, from a proxy, or from a swap.
    expect(problemOf(calls, { to: PROXY as Address, logs: [funded(MINIMUM), made] })).to.equal(undefined);
    expect(problemOf(calls, { logs: [received(MINIMUM), made] })).to.equal(undefined);
    expect(problemOf(calls, { value: MINIMUM / 2n, logs: [funded(MINIMUM / 2n), made] })).to.equal("tooLittle");
    // A stranger's calls could take back the delivery.
    const added = called(ROUTER_ADDRESS, "0x34", 0n);
    expect(problemOf(calls, { from: STRANGER, value: MINIMUM, logs: [added, made] })).to.equal("callsMissing");
    expect(problemOf(calls, { value: MINIMUM, logs: [added, made] })).to.equal(undefined);
    for (const other of [
      called(STRANGER, "0x12", 7n, STRANGER),
      called(STRANGER, "0x12", 8n),
      called(STRANGER, "0x13", 7n),
      called(USER, "0x12", 7n),
    ]) {
      expect(problemOf(calls, { value: MINIMUM, logs: [other] })).to.equal("callsMissing");
    }
  });

  it("makes the calls from a router that logs their hashes", () => {
    const router = ROUTERS[4].pairs.cancun.router;
    const delivery = transfer(SOLVER_ADDRESS, router, MINIMUM);
    const inToken = { ...calls, destinationCurrency: TOKEN };
    const fill = { from: STRANGER, to: router } as const;
    expect(problemOf(inToken, { ...fill, logs: [delivery, hashed(STRANGER, "0x12", 7n)] })).to.equal(undefined);
    expect(
      problemOf(inToken, { ...fill, logs: [delivery, hashed(STRANGER, "0x12", 7n), hashed(ROUTER_ADDRESS, "0x", 0n)] }),
    ).to.equal("callsMissing");
    for (const other of [
      hashed(STRANGER, "0x12", 7n, STRANGER),
      hashed(STRANGER, "0x12", 8n),
      hashed(STRANGER, "0x13", 7n),
      hashed(USER, "0x12", 7n),
    ]) {
      expect(problemOf(inToken, { ...fill, logs: [delivery, other] })).to.equal("callsMissing");
    }
  });

  it("does not count transfers from the router to itself", () => {
    const own = funded(MINIMUM, ROUTER_ADDRESS);
    expect(problemOf(calls, { logs: [own, made] })).to.equal("tooLittle");
    const sent = (value: bigint): Fill => ({
      value,
      logs: [funded(value), received(value), called(ROUTER_ADDRESS, "0x", value), made],
    });
    expect(problemOf(calls, sent(MINIMUM))).to.equal(undefined);
    expect(problemOf(calls, sent(MINIMUM - 1n))).to.equal("tooLittle");
  });

  it("contains the order id, or the request id only if there is no order", () => {
    expect(problemOf({}, { id: REQUEST_ID })).to.equal("otherRequest");
    expect(problemOf({}, { id: REQUEST_ID, hasOrder: false })).to.equal(undefined);
    expect(problemOf({}, { hasOrder: false })).to.equal("otherRequest");
  });

  it("is the user's own payment if there is no order and the user pays in a transaction", () => {
    const payment: PlannedStep = {
      kind: "transaction",
      stepId: "send",
      position: "0.0",
      chainId: 10,
      from: USER,
      to: STRANGER,
      data: concat(["0x1234", REQUEST_ID]),
      value: 7n,
      gas: undefined,
      maxFeePerGas: undefined,
      maxPriorityFeePerGas: undefined,
    };
    const own = { hasOrder: false, from: USER, to: STRANGER, id: REQUEST_ID, value: 7n, actions: [payment] } as const;
    expect(problemOf({}, own)).to.equal(undefined);
    const others: readonly Fill[] = [
      { value: 8n },
      { to: USER },
      { from: STRANGER },
      { from: SOLVER_ADDRESS, to: ROUTER_ADDRESS },
    ];
    for (const change of others) {
      expect(problemOf({}, { ...own, ...change })).to.equal("otherPayment");
    }
    // An approval pays nothing.
    const approval: PlannedStep = { ...payment, stepId: "approve" };
    expect(problemOf({}, { ...own, actions: [approval, { ...payment, to: USER }] })).to.equal("otherPayment");
    // Without an id at the end, only transactions from this run count.
    const bare = { ...own, id: ORDER_ID, actions: [{ ...payment, data: concat(["0x1234", ORDER_ID]) }] };
    expect(problemOf({}, bare)).to.equal("otherPayment");
    expect(problemOf({}, { ...bare, ownHashes: [ORDER_ID] })).to.equal(undefined);
  });
});
