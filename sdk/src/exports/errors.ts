// What the functions throw.
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
} from "../client/executeSteps/executionErrors.ts";
export { AllowanceResetError, GasCostError } from "../client/executeSteps/paymentErrors.ts";
export { PreflightFailedError } from "../client/executeSteps/preflightFailedError.ts";
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
} from "../core/errors.ts";
export { QuoteRefusedError } from "../verify/quoteRefusedError.ts";
