export { type ChainFamily, type ChainFamilyName } from "./chains/families/chainFamily.ts";
export { chainFamilyOf } from "./chains/families/chainFamilyOf.ts";
export { announceDeposit, type AnnounceDepositParameters } from "./client/announceDeposit.ts";
export { type CallChecker } from "./client/callChecker.ts";
export { type QuoteChecks } from "./client/checkQuotedCalls.ts";
export { createServiceClient, type ServiceClient, type ServiceClientOptions } from "./client/client.ts";
export { type DeprecationNotice } from "./client/deprecationNotice.ts";
export { EndpointRetiredError, PagingStuckError, RequestNotFoundError } from "./client/errors.ts";
export { getChains, type GetChainsParameters } from "./client/getChains.ts";
export { type EthersSigner, type EthersTransaction } from "./client/executeSteps/ethersSigner.ts";
export { executeSteps, type ExecutionResult } from "./client/executeSteps/executeSteps.ts";
export { type ExecuteStepsParameters, type ExecutionEvent } from "./client/executeSteps/executeStepsParameters.ts";
export {
  InsufficientAllowanceError,
  InsufficientBalanceError,
  QuoteWorsenedError,
  StaleQuoteError,
  TransactionReplacedError,
  UserRejectedError,
} from "./client/executeSteps/executionErrors.ts";
export { type QuoteFreshness } from "./client/executeSteps/freshQuote.ts";
export {
  type ActionCallbacks,
  type ExchangeAction,
  type DelegatedAction,
  type SvmTransaction,
} from "./client/executeSteps/delegate.ts";
export { createMemoryJournal, type ExecutionJournal } from "./client/executeSteps/journal.ts";
export {
  type PlannedStep,
  type PlannedExchangeAction,
  type PlannedSignature,
  type PlannedSvmTransaction,
  type PlannedTransaction,
  planSteps,
  requestIdOf,
} from "./client/executeSteps/planSteps.ts";
export { type SentTransaction } from "./client/executeSteps/performTransaction.ts";
export { type ViemWallet } from "./client/executeSteps/viemWallet.ts";
export { type ExecutionWallet } from "./client/executeSteps/wallets.ts";
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
export { getOracleChains, type GetOracleChainsParameters } from "./client/oracle/getOracleChains.ts";
export { getOracleLives, type GetOracleLivesParameters } from "./client/oracle/getOracleLives.ts";
export { attest, type AttestOptions } from "./client/oracle/attest.ts";
export { AttestationInvalidError } from "./client/oracle/attestationInvalidError.ts";
export { requireAttestation } from "./client/oracle/requireAttestation.ts";
export { type AttestationCheck, type AttestationFault, type Attested } from "./client/oracle/verification/attested.ts";
export { type TrustedChain, type TrustedHub } from "./client/oracle/verification/trust.ts";
export {
  type AttestationVerification,
  verifyAttestation,
  type VerifyAttestationParameters,
} from "./client/oracle/verifyAttestation.ts";
export { readCallFacts, type ReadCallFactsParameters } from "./client/readCallFacts.ts";
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
export { requestStatuses, type RequestStatusesParameters } from "./client/watchRequest/requestStatuses.ts";
export {
  type StatusSource,
  type WebSocketConstructor,
  type WebSocketLike,
} from "./client/watchRequest/statusSource.ts";
export { type RequestOutcome, watchRequest, type WatchRequestParameters } from "./client/watchRequest/watchRequest.ts";
export {
  createFastifyWebhook,
  type FastifyApplication,
  type FastifyWebhookOptions,
} from "./client/webhooks/createFastifyWebhook.ts";
export {
  createWebhookHandler,
  type WebhookAnswer,
  type WebhookDelivery,
  type WebhookHandler,
  type WebhookHandlerOptions,
} from "./client/webhooks/createWebhookHandler.ts";
export { createStatusFeed, type StatusFeed } from "./client/webhooks/statusFeed.ts";
export { verifyWebhook, type VerifyWebhookParameters, type WebhookHeaders } from "./client/webhooks/verifyWebhook.ts";
export { type WebhookFlaw, WebhookRefusedError } from "./client/webhooks/webhookRefusedError.ts";
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
