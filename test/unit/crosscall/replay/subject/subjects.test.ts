import { expect } from "chai";
import { type Address, concat, encodeFunctionData, erc20Abi, getAddress, type Hex, parseAbi, zeroAddress } from "viem";

import { InvalidInputError, InvalidStateError } from "../../../../../packages/protocol/src/core/errors.ts";
import { ROUTER_ADDRESS } from "../../../../../packages/protocol/src/generations/routers.ts";
import { encodeOrderCall } from "../../../../../packages/protocol/src/order/orderCalls.ts";
import type * as Complete from "../../../../../packages/protocol/src/complete.ts";
import type { Quote } from "../../../../../packages/protocol/src/quote/quote.ts";
import type { RequestRecord } from "../../../../../packages/protocol/src/request/requestRecord.ts";
import { encodeFill, type FillPlan, readMulticall } from "../../../../../packages/crosscall/src/replay/fillPlan.ts";
import { fillOfRequest } from "../../../../../packages/crosscall/src/replay/subject/fillOfRequest.ts";
import { NothingToReplayError } from "../../../../../packages/crosscall/src/replay/subject/subject.ts";
import { subjectOfPlan } from "../../../../../packages/crosscall/src/replay/subject/subjectOfPlan.ts";
import { subjectOfQuote } from "../../../../../packages/crosscall/src/replay/subject/subjectOfQuote.ts";
import { subjectOfSentFill } from "../../../../../packages/crosscall/src/replay/subject/subjectOfSentFill.ts";
import { quote, requestRecord, ROUTER, SVM_USDC, USDC, USER } from "../../../protocol/fixtures.ts";

const SOLVER: Address = "0xf70da97812CB96acDF810712Aa562db8dfA3dbEF";
const TOKEN = getAddress(USDC);
const ORDER_ID: Hex = `0x${"ab".repeat(32)}`;
const HASH: Hex = `0x${"12".repeat(32)}`;
const source = { kind: "transaction", hash: HASH } as const;
const call = { to: TOKEN, data: "0x12345678", value: "0" } as const;

const plan: FillPlan = {
  chainId: 8453,
  router: getAddress(ROUTER),
  routerVersion: "v3",
  solver: SOLVER,
  currency: TOKEN,
  minimumAmount: 990_000n,
  expectedAmount: 1_000_000n,
  calls: [{ to: TOKEN, data: "0x12345678", value: 0n, allowFailure: false }],
  refundTo: USER,
  nftRecipient: USER,
  recipient: USER,
  orderId: ORDER_ID,
};

/** Returns a fill of the plan, in which the solver delivers the tokens in the first call. */
const paidFill = (amount: bigint, calls = plan.calls) => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transferFrom", args: [SOLVER, plan.router, amount] });
  const payment = { to: TOKEN, data, value: 0n, allowFailure: false };
  return encodeFill({ ...plan, calls: [payment, ...calls] }, amount);
};

function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("it did not fail");
}

describe("readMulticall", () => {
  for (const routerVersion of ["v3", "v2.1"] as const) {
    it(`decodes a fill of router ${routerVersion}, with the appended orderId`, () => {
      const { data } = encodeFill({ ...plan, routerVersion }, 5n);
      const { calls, refundTo, nftRecipient, orderId } = plan;
      expect(readMulticall(data)).to.deep.equal({ routerVersion, calls, refundTo, nftRecipient, orderId });
    });
  }

  it("finds no orderId if none is appended, and no multicall in other call data", () => {
    const { data } = encodeFill(plan, 5n);
    expect(readMulticall(data.slice(0, -64) as Hex)?.orderId).to.equal(undefined);
    expect(readMulticall(concat([data, "0x00"]))?.orderId).to.equal(undefined);
    expect(readMulticall("0xa9059cbb")).to.equal(undefined);
  });
});

describe("subjectOfQuote", () => {
  const orderOf = (calls: string[]): Quote => {
    const { v2 } = quote.protocol;
    const output = { ...v2.orderData.output, calls };
    return { ...quote, protocol: { v2: { ...v2, orderData: { ...v2.orderData, output } } } } as Quote;
  };

  it("reads the calls, router, currency and amounts from the order", () => {
    const { plan: found, amount } = subjectOfQuote(orderOf([encodeOrderCall({ ...call, value: "7" })]));
    expect(found).to.deep.include({
      chainId: quote.details.currencyOut.currency.chainId,
      router: getAddress(ROUTER),
      currency: zeroAddress,
      minimumAmount: 979n,
      expectedAmount: 1_000n,
      calls: [{ to: TOKEN, data: "0x12345678", value: 7n, allowFailure: false }],
      orderId: quote.protocol.v2.orderId,
    });
    expect(amount).to.equal(1_000n);
  });

  it("rejects an order without calls, and a quote without an order", () => {
    expect(failureOf(() => subjectOfQuote(orderOf([])))).to.be.instanceOf(NothingToReplayError);
    const { protocol: _protocol, ...without } = quote;
    const error = failureOf(() => subjectOfQuote(without as unknown as Quote));
    expect(error).to.be.instanceOf(InvalidInputError).and.include({ field: "quote.protocol" });
  });
});

describe("subjectOfPlan", () => {
  const planned = {
    name: "plan.json",
    destinationChainId: 8453,
    destinationCurrency: USDC,
    tradeType: "EXACT_OUTPUT",
    amount: "1000",
    txs: [call],
    recipient: USER,
  } as const;

  it("uses the amount of an exact output, and the given delivered amount of an exact input", () => {
    expect(subjectOfPlan(planned)).to.deep.include({ amount: 1_000n });
    const input = subjectOfPlan({ ...planned, tradeType: "EXACT_INPUT", delivered: 9n, minimumDelivered: 8n });
    expect(input.plan).to.include({
      minimumAmount: 8n,
      expectedAmount: 9n,
      router: ROUTER_ADDRESS,
      solver: SOLVER,
    });
  });

  it("rejects an exact input without a known delivered amount", () => {
    const error = failureOf(() => subjectOfPlan({ ...planned, tradeType: "EXACT_INPUT" }));
    expect(error).to.be.instanceOf(InvalidInputError).and.include({ field: "delivered" });
  });

  it("rejects a plan without calls, and a plan for another chain family", () => {
    expect(failureOf(() => subjectOfPlan({ ...planned, txs: [] }))).to.be.instanceOf(NothingToReplayError);
    const error = failureOf(() => subjectOfPlan({ ...planned, destinationCurrency: SVM_USDC }));
    expect(error).to.be.instanceOf(InvalidInputError).and.include({ field: "destinationCurrency" });
  });
});

describe("subjectOfSentFill", () => {
  const sent = (transaction: ReturnType<typeof encodeFill>) => ({ transaction, hash: HASH, blockNumber: 5n });

  it("separates the solver's payment from the order's calls, and reads the delivered amount from the payment", () => {
    const found = subjectOfSentFill({ source, chainId: 8453, sent: sent(paidFill(995_000n)) });
    const amount = 995_000n;
    expect(found.plan).to.deep.equal({ ...plan, minimumAmount: amount, expectedAmount: amount });
    expect(found.amount).to.equal(amount);
  });

  it("reads native currency from the transaction's value", () => {
    const native = encodeFill({ ...plan, currency: zeroAddress }, 5n);
    const found = subjectOfSentFill({ source, chainId: 8453, sent: sent(native) });
    expect([found.plan.currency, found.amount, found.plan.calls.length]).to.deep.equal([zeroAddress, 5n, 1]);
  });

  it("separates native currency that the router sends to itself from the order's calls", () => {
    const payment = { to: plan.router, data: "0x", value: 990n, allowFailure: false } as const;
    const fill = encodeFill({ ...plan, currency: zeroAddress, calls: [payment, ...plan.calls] }, 995n);
    const found = subjectOfSentFill({ source, chainId: 8453, sent: sent(fill) });
    expect([found.amount, found.plan.currency, found.plan.calls]).to.deep.equal([990n, zeroAddress, plan.calls]);
  });

  it("does not treat a transfer between other accounts as the solver's payment", () => {
    const abi = parseAbi(["function transferFrom(address from, address to, uint256 value)"]);
    const data = encodeFunctionData({ abi, functionName: "transferFrom", args: [USER, plan.router, 5n] });
    const fill = encodeFill({ ...plan, calls: [{ to: TOKEN, data, value: 0n, allowFailure: false }] }, 5n);
    const terms = { currency: TOKEN, amount: 5n };
    expect(subjectOfSentFill({ source, chainId: 8453, sent: sent(fill), terms }).plan.calls.length).to.equal(1);
  });

  it("requires values that the transaction does not contain", () => {
    const error = failureOf(() => subjectOfSentFill({ source, chainId: 8453, sent: sent(encodeFill(plan, 5n)) }));
    expect(error).to.be.instanceOf(InvalidInputError).and.include({ field: "currency" });
  });

  it("rejects a transaction that is not a multicall, and a multicall with only the solver's calls", () => {
    const transfer = { from: SOLVER, to: TOKEN, data: ORDER_ID, value: 1n };
    expect(failureOf(() => subjectOfSentFill({ source, chainId: 8453, sent: sent(transfer) }))).to.be.instanceOf(
      NothingToReplayError,
    );
    const own = { source, chainId: 8453, sent: sent(paidFill(5n, [])) };
    expect(failureOf(() => subjectOfSentFill(own))).to.be.instanceOf(NothingToReplayError);
  });
});

describe("fillOfRequest", () => {
  const record = requestRecord as unknown as Complete.RequestRecord;
  const withData = (data: Partial<Complete.RequestRecord["data"]>): RequestRecord => ({
    ...record,
    data: { ...record.data, failReason: null, failedTxHash: null, failedCallData: null, outTxs: [], ...data },
  });
  const chainId = record.data.route?.actual.destination?.outputCurrency.currency.chainId ?? 0;
  const entry = {
    txHash: HASH,
    fee: "1",
    block: 9,
    type: "onchain",
    chainId,
    timestamp: 1,
    status: "success",
  } as const;

  it("finds the fill in a block, with its delivered and quoted amounts", () => {
    const found = fillOfRequest(withData({ outTxs: [entry] }));
    expect(found.fill).to.deep.equal({ kind: "included", hash: HASH });
    expect(found.terms).to.deep.equal({
      currency: TOKEN,
      amount: 1_000_000n,
      minimumAmount: 990_000n,
      expectedAmount: 1_000_000n,
      recipient: getAddress(record.recipient),
    });
  });

  it("prefers the failed fill in a block, and accepts a simulated fill with its block", () => {
    const failed = withData({ failReason: "SLIPPAGE", failedTxHash: ORDER_ID, outTxs: [entry] });
    expect(fillOfRequest(failed).fill).to.deep.equal({ kind: "included", hash: ORDER_ID });
    const failedCallData = { from: SOLVER, to: ROUTER, data: "0x1234", value: "3" };
    const tried = withData({ failReason: "SLIPPAGE", failedCallData, failedTxBlockNumber: 8, outTxs: [entry] });
    expect(fillOfRequest(tried).fill).to.deep.equal({
      kind: "tried",
      transaction: { from: SOLVER, to: getAddress(ROUTER), data: "0x1234", value: 3n },
      blockNumber: 8n,
    });
  });

  it("does not treat a refund on another chain as the fill", () => {
    const refund = withData({ outTxs: [{ ...entry, chainId: chainId + 1 }] });
    expect(failureOf(() => fillOfRequest(refund))).to.be.instanceOf(InvalidStateError);
  });

  it("rejects a request without a fill", () => {
    expect(failureOf(() => fillOfRequest(withData({})))).to.be.instanceOf(InvalidStateError);
  });
});
