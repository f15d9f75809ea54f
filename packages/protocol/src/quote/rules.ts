export { exchangeAssetOf, namesRequest } from "./exchangeTransfer.ts";
export { EXCHANGE_ACTIVATION_USD_E18, EXECUTION_FLAT_USD_E18, executionFee, swapFee } from "./feeRules.ts";
export { minimumOutput, quotedInput } from "./minimumOutput.ts";
export {
  AUTHORIZATION_TYPES,
  PERMIT2_CALLS_TYPES,
  PERMIT2_TYPES,
  PERMIT2_VALUE_CALLS_TYPES,
  PERMITS,
  type PermitTypes,
  TOKEN_PERMIT_TYPES,
} from "./permitTypes.ts";
export {
  isPayment,
  originChainIdOf,
  type PlannedBatch,
  type PlannedExchangeAction,
  type PlannedSignature,
  type PlannedStep,
  type PlannedSvmTransaction,
  type PlannedTransaction,
  planSteps,
  requestIdOf,
} from "./planSteps.ts";
export { quoteFeeTable } from "./quoteFeeTable.ts";
export { isQuoteFresh, QUOTE_FRESH_LIMIT_MS, type ReceivedQuote } from "./quoteFreshness.ts";
export { type PriceRequest, PriceRequestSchema, type QuoteRequest, QuoteRequestSchema } from "./quoteRequest.ts";
export { findQuoteProblem, isBps } from "./quoteRules.ts";
export type { SponsorshipRequest } from "./quoteSponsorshipRules.ts";
export { PermitResponseV3Schema, type QuoteV3, QuoteV3Schema, readAnyQuote, toQuote } from "./quoteV3.ts";
export { MICRO_USD_E18, type SponsoredFees, sponsorFees } from "./sponsorFees.ts";
export { SVM_SWAP_AGGREGATOR, type SvmRoute } from "./svmRoute.ts";
export {
  measureSvmTransaction,
  SVM_QUOTED_MAX_BYTES,
  SVM_TRANSACTION_MAX_BYTES,
  type SvmTransactionSize,
} from "./svmTransactionSize.ts";
export { toQuoteV3 } from "./toQuoteV3.ts";
