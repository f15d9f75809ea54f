// To request a quote, execute its steps and follow the request.
export { createServiceClient, type ServiceClient, type ServiceClientOptions } from "../client/client.ts";
export type { DeprecationNotice } from "../client/deprecationNotice.ts";
export type { ActionCallbacks, ExchangeAction, SvmTransaction } from "../execute/delegate.ts";
export { executeSteps } from "../execute/executeSteps.ts";
export type { ExecuteStepsParameters, ExecutionEvent } from "../execute/executeStepsParameters.ts";
export { createMemoryJournal, type ExecutionJournal } from "../execute/journal.ts";
export type { ExecutionResult } from "../execute/runSteps.ts";
export type { ExecutionWallet } from "../execute/wallets.ts";
export { getQuote, type GetQuoteParameters } from "../client/getQuote.ts";
export { requestStatuses } from "../client/watchRequest/requestStatuses.ts";
export type { StatusSource } from "../client/watchRequest/statusSource.ts";
export { watchRequest, type WatchRequestParameters } from "../client/watchRequest/watchRequest.ts";
export type { Clock, Timer } from "@crosscall/protocol/core";
