import { expect } from "chai";
import type { TSchema } from "typebox";

import { ChainEntrySchema, ChainListSchema } from "../../../packages/protocol/src/common/chainEntry.ts";
import { AmountSchema, GroupAmountSchema } from "../../../packages/protocol/src/common/currency.ts";
import { IntentStatusSchema } from "../../../packages/protocol/src/request/intentStatus.ts";
import { OrderSchema } from "../../../packages/protocol/src/order/order.ts";
import { isUnknownValue } from "../../../packages/protocol/src/schema/schemaParts.ts";
import { parseData } from "../../../packages/protocol/src/schema/parse.ts";
import { QuoteSchema } from "../../../packages/protocol/src/quote/quote.ts";
import { QuoteRequestSchema } from "../../../packages/protocol/src/quote/quoteRequest.ts";
import { RequestListSchema, RequestRecordSchema } from "../../../packages/protocol/src/request/requestRecord.ts";
import {
  SignatureDataSchema,
  STEP_IDS,
  STEP_ITEM_STATUSES,
  STEP_KINDS,
  TransactionDataSchema,
  TransferDataSchema,
} from "../../../packages/protocol/src/quote/step.ts";
import {
  DEPOSIT_ADDRESS_TYPES,
  FAIL_REASONS,
  FEATURES,
  FEE_COMPONENTS,
  REFUND_FAIL_REASONS,
  REQUEST_STATUSES,
  REQUEST_TYPES,
} from "../../../packages/protocol/src/schema/values.ts";
import { checkEveryField, malformed } from "./everyField.ts";
import { amount, chainEntry, groupAmount, order, quote, quoteRequest, requestRecord, USER } from "./fixtures.ts";

describe("schemas reject each missing required field:", () => {
  it("request record", () => {
    checkEveryField(RequestRecordSchema, requestRecord, [
      "data.failedTxHash",
      "data.failedTxBlockNumber",
      "data.failedCallData",
      "data.triggeredByFastFill",
      "data.inTxs[0].data",
      "data.inTxs[0].data.any",
      "data.inTxs[0].stateChanges",
      "data.outTxs[0].data",
      "data.outTxs[0].data.any",
      "data.outTxs[0].stateChanges",
      "data.appFees.quoted[0].amountUsd",
      "data.appFees.currency",
      "data.fees.quoted.swap.usd",
      "data.fees.quoted.execution.usd",
      "data.fees.quoted.platform.usd",
      "data.fees.quoted.app.usd",
      "data.fees.quoted.sponsored.usd",
      "data.fees.quoted.sponsored",
      "data.fees.actual.sponsored",
      "data.fees.actual",
      "data.feeSponsorship.quoted.maxSubsidizationAmount",
      "data.feeSponsorship.actual.maxSubsidizationAmount",
      "data.feeSponsorship.actual.sponsorPayment",
      "data.feeSponsorship.actual",
      "data.route.quoted.destination",
      "data.route.actual.destination",
      "data.platformFee",
      "data.platformFee.bps",
      "data.quoteOraclePrice",
      "data.referrer",
      "data.refundCurrencyData",
      "data.externalMetadata",
      "data.externalMetadata.moonpayId",
      "protocol",
      "protocol.deposit",
      "protocol.deposit.origin",
      "protocol.settlement",
      "protocol.settlement.destination",
    ]);
  });

  it("request list", () => {
    const list = { requests: [], continuation: "next", total: 3 };
    checkEveryField(RequestListSchema, list, ["continuation", "total"]);
  });

  it("amount, with and without its currency", () => {
    checkEveryField(AmountSchema, amount, []);
    checkEveryField(GroupAmountSchema, groupAmount, []);
  });

  it("order", () => {
    checkEveryField(OrderSchema, order, []);
  });

  it("quote", () => {
    checkEveryField(QuoteSchema, quote, [
      "steps[0].requestId",
      "steps[0].depositAddress",
      "steps[0].items[0].data",
      "steps[0].items[0].data.from",
      "steps[0].items[0].data.to",
      "steps[0].items[0].data.data",
      "steps[0].items[0].data.value",
      "steps[0].items[0].data.chainId",
      "steps[0].items[0].check",
      "fees.subsidized",
      "details.refundCurrency",
      "details.expandedPriceImpact.sponsored",
      "details.slippageTolerance.origin",
      "details.slippageTolerance.destination",
      "details.userBalance",
      "details.isFixedRate",
      "details.route.destination",
      "protocol",
    ]);
  });

  it("quote request", () => {
    checkEveryField(QuoteRequestSchema, quoteRequest, [
      "recipient",
      "refundTo",
      "referrer",
      "txs",
      "slippageTolerance",
      "appFees",
      "useExternalLiquidity",
      "maxRouteLength",
      "includedOriginSwapSources",
      "subsidizeFees",
      "sponsoredFeeComponents",
      "protocolVersion",
      "maxSubsidizationAmount",
      "useDepositAddress",
      "strict",
    ]);
  });

  it("intent status", () => {
    const status = {
      status: "success",
      details: "done",
      inTxHashes: ["0x01"],
      txHashes: ["0x02"],
      updatedAt: 1_790_000_000_000,
      quoteCreatedAt: 1_790_000_000_000,
      originChainId: 8453,
      destinationChainId: 10,
    };
    checkEveryField(IntentStatusSchema, status, Object.keys(status).slice(1));
  });

  it("chain entry", () => {
    checkEveryField(ChainEntrySchema, chainEntry, [
      "wsRpcUrl",
      "explorerUrl",
      "erc20Currencies[0].supportsPermit",
      "contracts",
      "contracts.v3",
      "contracts.v3.erc20Router",
      "contracts.v3.approvalProxy",
      "protocol",
      "protocol.v2",
      "protocol.v2.chainId",
      "protocol.v2.depository",
    ]);
    checkEveryField(ChainListSchema, { chains: [] }, []);
  });

  it("transaction, signature and transfer data", () => {
    const transaction = { from: USER, to: USER, data: "0x", value: "1", chainId: 1 };
    const fees = { gas: "21000", maxFeePerGas: "2", maxPriorityFeePerGas: "1" };
    const whole = { ...transaction, ...fees };
    checkEveryField(TransactionDataSchema, whole, ["data", "value", ...Object.keys(fees)]);
    const message = { message: "hi", domain: {}, types: {}, primaryType: "Order", value: {} };
    checkEveryField(
      SignatureDataSchema,
      { sign: { signatureKind: "eip712", ...message }, post: { endpoint: "/x", method: "POST", body: null } },
      [...Object.keys(message).map((key) => `sign.${key}`), "post.body"],
    );
    const route = { toAccountIndex: 1, assetIndex: 0, fromRouteType: 0, toRouteType: 3, amount: 5, usdcFee: 1 };
    checkEveryField(TransferDataSchema, { action: { type: "transfer", parameters: { ...route, memo: "0x" } } }, []);
  });
});

describe("schemas", () => {
  it("accept null where the specification allows null", () => {
    const { data } = requestRecord;
    const record = {
      ...requestRecord,
      sender: null,
      refundTo: null,
      depositAddress: null,
      requestType: null,
      supersededByRequestId: null,
      protocol: null,
      data: { ...data, failReason: null, refundFailReason: null, failedTxHash: null, failedCallData: null, fees: null },
    };
    expect(parseData(RequestRecordSchema, record, "it")).to.equal(record);
  });

  const refused: [TSchema, object, string, unknown][] = [
    [RequestRecordSchema, requestRecord, "status", 1],
    [RequestRecordSchema, requestRecord, "data.failReason", 1],
    [RequestRecordSchema, requestRecord, "data.route.actual.origin.inputCurrency.amount", "1.5"],
    [OrderSchema, order, "output.deadline", 2 ** 32],
    [OrderSchema, order, "output.calls[0]", "0x123"],
    [OrderSchema, order, "salt", "0x12"],
    [OrderSchema, order, "fees[0].amount", "-1"],
    [QuoteSchema, quote, "protocol.v2.paymentDetails.amount", "1.5"],
    [QuoteSchema, quote, "steps[0].items[0].data", "0x"],
    [QuoteRequestSchema, quoteRequest, "tradeType", "EXACT"],
    [QuoteRequestSchema, quoteRequest, "originChainId", "8453"],
    [QuoteRequestSchema, quoteRequest, "amount", 1],
    [QuoteRequestSchema, quoteRequest, "maxRouteLength", 0],
    [QuoteRequestSchema, quoteRequest, "sponsoredFeeComponents[0]", "platform"],
    [IntentStatusSchema, { status: "success" }, "status", null],
    [TransactionDataSchema, { from: USER, to: USER, chainId: 1, value: "1" }, "value", "0x1"],
    [TransactionDataSchema, { from: USER, to: USER, chainId: 1, data: "0x" }, "data", "0x1"],
  ];
  for (const [schema, whole, path, value] of refused) {
    it(`reject ${JSON.stringify(value)} as ${path}`, () => {
      const changed = setAt(whole, path, value);
      expect(malformed(() => parseData(schema, changed, "it")).path).to.equal(path);
    });
  }

  const others: [TSchema, object, string, readonly string[]][] = [
    [RequestRecordSchema, requestRecord, "status", REQUEST_STATUSES],
    [RequestRecordSchema, requestRecord, "requestType", REQUEST_TYPES],
    [RequestRecordSchema, requestRecord, "features[0]", FEATURES],
    [RequestRecordSchema, requestRecord, "depositAddress.type", DEPOSIT_ADDRESS_TYPES],
    [RequestRecordSchema, requestRecord, "data.failReason", FAIL_REASONS],
    [RequestRecordSchema, requestRecord, "data.refundFailReason", REFUND_FAIL_REASONS],
    [RequestRecordSchema, requestRecord, "data.inTxs[0].type", ["onchain"]],
    [RequestRecordSchema, requestRecord, "data.outTxs[0].status", ["success", "failure"]],
    [RequestRecordSchema, requestRecord, "data.feeSponsorship.quoted.selectedComponents[0]", FEE_COMPONENTS],
    [QuoteSchema, quote, "steps[0].id", STEP_IDS],
    [QuoteSchema, quote, "steps[0].kind", STEP_KINDS],
    [QuoteSchema, quote, "steps[0].items[0].status", STEP_ITEM_STATUSES],
    [QuoteSchema, quote, "details.operation", ["bridge", "swap"]],
    [IntentStatusSchema, { status: "success" }, "status", REQUEST_STATUSES],
  ];
  for (const [schema, whole, path, known] of others) {
    it(`accept an unknown value besides ${known.slice(0, 3).join(", ")} as ${path}`, () => {
      const changed = setAt(whole, path, "SOMETHING_NEW");
      expect(parseData(schema, changed, "it")).to.equal(changed);
      expect(isUnknownValue(known, "SOMETHING_NEW")).to.equal(true);
      expect(known.map((value) => isUnknownValue(known, value))).to.deep.equal(known.map(() => false));
    });
  }

  it("accept steps of unknown kinds with any data", () => {
    const step = { ...quote.steps[0]!, kind: "new", items: [{ status: "incomplete", data: { psbt: "00" } }] };
    const value = { ...quote, steps: [step] };
    expect(parseData(QuoteSchema, value, "it")).to.equal(value);
  });
});

/** Returns a copy of a value with one field changed. */
function setAt(whole: object, path: string, value: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(whole)) as Record<string, unknown>;
  const keys = path.split(/[.[\]]+/u).filter((key) => key !== "");
  const parent = keys.slice(0, -1).reduce((at, key) => at[key] as Record<string, unknown>, copy);
  parent[keys.at(-1)!] = value;
  return copy;
}
