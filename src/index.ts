export { announceDeposit, type AnnounceDepositParameters } from "./client/announceDeposit.ts";
export { createServiceClient, type ServiceClient, type ServiceClientOptions } from "./client/client.ts";
export {
  executeSteps,
  type ExecuteStepsParameters,
  type ExecutionEvent,
  type ExecutionResult,
} from "./client/executeSteps.ts";
export { getQuote, type GetQuoteParameters } from "./client/getQuote.ts";
export { getSignature, type GetSignatureParameters } from "./client/getSignature.ts";
export { getStatus, type GetStatusParameters } from "./client/getStatus.ts";
export { type SentTransaction } from "./client/sendTransaction.ts";
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
