export { type Call, sumCallValues } from "./common/call.ts";
export type { ChainEntry } from "./common/chainEntry.ts";
export type { Amount, Currency } from "./common/currency.ts";
export { formatCurrencyAmount } from "./common/formatCurrencyAmount.ts";
export { isNativeCurrency } from "./common/isNativeCurrency.ts";
export type { RequestType } from "./common/requestType.ts";
export { SERVICE_ERROR_CODES, type ServiceErrorCode } from "./errors/serviceError.ts";
export type { TradeType } from "./common/quoteValues.ts";
export type { Fees } from "./fees/fees.ts";
export { formatFeeTable } from "./fees/formatFeeTable.ts";
export { platformFee } from "./fees/platformFee.ts";
export { revenueShare } from "./fees/revenueShare.ts";
export { formatUsd, parseUsd } from "./fees/usd.ts";
export { type Order, OrderSchema } from "./order/order.ts";
export { decodeFillContract, decodeOrderCall, encodeOrderCall } from "./order/orderCalls.ts";
export { hashOrder } from "./order/orderId.ts";
export { parseExchangeTransfer } from "./quote/exchangeTransfer.ts";
export { appFeeShares, executionFee, swapFee } from "./quote/feeRules.ts";
export { minimumOutput } from "./quote/minimumOutput.ts";
export { type Price, type Quote, QuoteSchema } from "./quote/quote.ts";
export { quoteFeeTable } from "./quote/quoteFeeTable.ts";
export { type QuoteV3, QuoteV3Schema, toQuote } from "./quote/quoteV3.ts";
export { isQuoteFresh, isWorse } from "./quote/quoteFreshness.ts";
export type { QuoteProblem } from "./quote/quoteProblem.ts";
export { type QuoteRequest, QuoteRequestSchema } from "./quote/quoteRequest.ts";
export { findQuoteProblem, findQuoteProblems } from "./quote/quoteRules.ts";
export { sponsorFees } from "./quote/sponsorFees.ts";
export type { Step, StepItem } from "./quote/step.ts";
export { measureSvmTransaction } from "./quote/svmTransactionSize.ts";
export type { FailReason, RefundFailReason } from "./request/failReasons.ts";
export type { Route } from "./request/recordRoute.ts";
export type { IntentStatus } from "./request/intentStatus.ts";
export { isTerminalStatus, type RequestStatus } from "./request/requestStatus.ts";
export { recordFeeTable } from "./request/recordFeeTable.ts";
export { decodeRequestFilters, encodeRequestFilters, type RequestFilters } from "./request/requestFilters.ts";
export { type RequestRecord, RequestRecordSchema } from "./request/requestRecord.ts";
export {
  encodeRequest,
  encodeRequestV2,
  hashRequest,
  hashRequestV2,
  recoverRequestSigner,
  recoverRequestSignerV2,
  type RequestSignature,
  type RequestSignatureV2,
  type SignedRequestData,
  type SignedRequestDataV2,
} from "./request/requestSignature.ts";
export { readStatusEvent, type StatusEvent } from "./request/statusEvent.ts";
export { readWebsocketMessage } from "./request/websocketMessage.ts";
export { parseData } from "./schema/parse.ts";
export { readResponse, requireField } from "./schema/readResponse.ts";
export { isUnknownValue, type UnknownValue } from "./schema/schemaParts.ts";
export { FAIL_REASONS } from "./schema/values.ts";
