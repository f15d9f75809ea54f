export { abortable, createDeferred, pause, sleep, throwIfAborted, waitOn } from "./abort.ts";
export { compact } from "./compact.ts";
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
export { printable, printableData, printableLines, shortReason } from "./printable.ts";
export { sarifLog } from "./sarif.ts";
export { type Clock, systemClock, systemTimer, type Timer, TIMER_MAX_MS, unixSeconds, withTimeLimit } from "./timer.ts";
