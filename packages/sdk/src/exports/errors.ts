// Errors that the functions throw.
export { AccessTokenError, EndpointRetiredError, PagingStuckError, RequestNotFoundError } from "../client/errors.ts";
export {
  BundleFailedError,
  InsufficientAllowanceError,
  InsufficientBalanceError,
  PaymentUnresolvedError,
  QuoteWorsenedError,
  StaleQuoteError,
  TransactionReplacedError,
  UserRejectedError,
} from "../execute/executionErrors.ts";
export { AllowanceResetError, GasCostError } from "../execute/executionErrors.ts";
export { PreflightFailedError } from "../execute/executionErrors.ts";
export { WebhookRefusedError } from "../client/webhooks/webhookRefusedError.ts";
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
} from "@crosscall/protocol/core";
export { QuoteRefusedError } from "../verify/quoteRefusedError.ts";
