// The other endpoints of the service, and functions for apps that perform steps themselves.
export { chainFamilyOf } from "@crosscall/protocol/chains";
export { getAppFeeBalances, iterateAppFeeClaims, listAppFeeClaims } from "../client/appFees.ts";
export { claimAppFees } from "../execute/claimAppFees.ts";
export { getPrice } from "../client/getPrice.ts";
export { getStatus } from "../client/getStatus.ts";
export {
  getRequest,
  iterateRequests,
  iterateRequestsV2,
  listRequests,
  type RequestPage,
} from "../client/listRequests.ts";
export { listRequestsV2, type RequestQueryV2 } from "../client/listRequestsV2.ts";
export {
  announceDeposit,
  announceTransaction,
  createAccessToken,
  fastFill,
  reindexDepositAddress,
  searchCurrencies,
  setRequestMetadata,
} from "../client/postEndpoints.ts";
export {
  getChainHealth,
  getChainLiquidity,
  getChains,
  getConfig,
  getDepositAddress,
  getSignature,
  getSignatureV2,
  getSwapSources,
  getTokenPrice,
  getTrendingCurrencies,
  getUsage,
} from "../client/readEndpoints.ts";
export type { RequestQuery } from "../client/requestQuery.ts";
export {
  type SignatureVerification,
  verifySignature,
  type VerifySignatureParameters,
  verifySignatureV2,
} from "../client/verifySignature.ts";
export {
  createFastifyWebhook,
  createStatusFeed,
  createWebhookHandler,
  type WebhookHandler,
  type WebhookHandlerOptions,
} from "../client/webhooks/createWebhookHandler.ts";
export { verifyWebhook, type WebhookHeaders } from "../client/webhooks/verifyWebhook.ts";
export { type PlannedStep, planSteps, requestIdOf } from "@crosscall/protocol/quote/rules";
