export { type ChainFamily, type ChainFamilyName } from "./chains/families/chainFamily.ts";
export { chainFamilyOf } from "./chains/families/chainFamilyOf.ts";
export { announceDeposit, type AnnounceDepositParameters } from "./client/announceDeposit.ts";
export { createServiceClient, type ServiceClient, type ServiceClientOptions } from "./client/client.ts";
export { type DeprecationNotice } from "./client/deprecationNotice.ts";
export { EndpointRetiredError, PagingStuckError, RequestNotFoundError } from "./client/errors.ts";
export {
  executeSteps,
  type ExecuteStepsParameters,
  type ExecutionEvent,
  type ExecutionResult,
} from "./client/executeSteps.ts";
export { getChains, type GetChainsParameters } from "./client/getChains.ts";
export { getQuote, type GetQuoteParameters } from "./client/getQuote.ts";
export { getRequest, type GetRequestParameters } from "./client/getRequest.ts";
export { getSignature, type GetSignatureParameters } from "./client/getSignature.ts";
export { getStatus, type GetStatusParameters } from "./client/getStatus.ts";
export { type IterateOptions } from "./client/iteratePages.ts";
export { iterateRequests } from "./client/iterateRequests.ts";
export { iterateRequestsV2 } from "./client/iterateRequestsV2.ts";
export { listRequests, type ListRequestsParameters, type RequestPage } from "./client/listRequests.ts";
export { listRequestsV2, type ListRequestsV2Parameters, type RequestPageV2 } from "./client/listRequestsV2.ts";
export { type RequestQuery, type TopLevelRequestQuery } from "./client/requestQuery.ts";
export { type RequestQueryV2 } from "./client/requestQueryV2.ts";
export { readCallFacts, type ReadCallFactsParameters } from "./client/readCallFacts.ts";
export { type SentTransaction } from "./client/sendTransaction.ts";
export { type EndpointFamily } from "./client/transport/endpoints.ts";
export {
  type CallLimits,
  type RetryPolicy,
  type TransportOptions,
  type TransportSettings,
} from "./client/transport/settings.ts";
export {
  type DataDifference,
  type OffChainCheck,
  type OnChainCheck,
  type SignatureVerification,
  verifySignature,
  type VerifySignatureParameters,
} from "./client/verifySignature.ts";
export { watchRequest, type WatchRequestParameters } from "./client/watchRequest.ts";
export {
  AbortedError,
  ChainError,
  CrosscallError,
  ERROR_CODES,
  type ErrorCode,
  InvalidInputError,
  InvalidStateError,
  MalformedDataError,
  RequestNotFilledError,
  ServiceError,
  ServiceUnreachableError,
  StageFailedError,
  TimedOutError,
  TransactionFailedError,
  UnsupportedStepError,
  WrongChainError,
} from "./core/errors.ts";
export { type Clock } from "./core/clock.ts";
export { type Timer } from "./core/timer.ts";
