export { abortable, pause, sleep, throwIfAborted } from "./abort.ts";
export { type Clock, systemClock, unixSeconds } from "./clock.ts";
export { compact } from "./compact.ts";
export { createDeferred } from "./deferred.ts";
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
  type ServiceCallFacts,
  ServiceError,
  ServiceUnreachableError,
  StageFailedError,
  TimedOutError,
  TransactionFailedError,
  UnsupportedStepError,
  WrongChainError,
} from "./errors.ts";
export { LOG_LEVELS, type LogLevel } from "./logLevel.ts";
export { printable, printableData, printableLines } from "./printable.ts";
export { sarifLog } from "./sarif.ts";
export { shortReason } from "./shortReason.ts";
export { systemTimer, type Timer, TIMER_MAX_MS, waitOn, withTimeLimit } from "./timer.ts";
