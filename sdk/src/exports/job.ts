// To request a quote, execute its steps and follow the request.
export { createServiceClient, type ServiceClient, type ServiceClientOptions } from "../client/client.ts";
export type { DeprecationNotice } from "../client/deprecationNotice.ts";
export type { ActionCallbacks, ExchangeAction, SvmTransaction } from "../client/executeSteps/delegate.ts";
export { executeSteps } from "../client/executeSteps/executeSteps.ts";
export type { ExecuteStepsParameters, ExecutionEvent } from "../client/executeSteps/executeStepsParameters.ts";
export { createMemoryJournal, type ExecutionJournal } from "../client/executeSteps/journal.ts";
export type { ExecutionResult } from "../client/executeSteps/runSteps.ts";
export type { ExecutionWallet } from "../client/executeSteps/wallets.ts";
export { getQuote, type GetQuoteParameters } from "../client/getQuote.ts";
export { requestStatuses } from "../client/watchRequest/requestStatuses.ts";
export type { StatusSource } from "../client/watchRequest/statusSource.ts";
export { watchRequest, type WatchRequestParameters } from "../client/watchRequest/watchRequest.ts";
export type { Clock } from "../core/clock.ts";
export type { Timer } from "../core/timer.ts";
