// Functions to request a quote, execute its steps and follow the request.
export {
  createServiceClient,
  type DeprecationNotice,
  type ServiceClient,
  type ServiceClientOptions,
} from "../client/client.ts";
export { executeSteps } from "../execute/executeSteps.ts";
export type {
  ExecuteStepsParameters,
  ExecutionEvent,
  ExecutionResult,
  SvmTransaction,
} from "../execute/executeStepsParameters.ts";
export { createMemoryJournal, type ExecutionJournal } from "../execute/journal.ts";
export type { ExecutionWallet } from "../execute/wallets.ts";
export { getQuote, type GetQuoteParameters } from "../client/getQuote.ts";
export { requestStatuses, watchRequest, type WatchRequestParameters } from "../client/watchRequest/watchRequest.ts";
export type { Clock, Timer } from "@crosscall/protocol/core";
