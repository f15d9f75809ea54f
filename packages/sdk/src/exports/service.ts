// The other endpoints of the service, and what an app needs to perform steps itself.
export { chainFamilyOf } from "@crosscall/protocol/chains";
export { announceDeposit } from "../client/announceDeposit.ts";
export { announceTransaction } from "../client/announceTransaction.ts";
export { claimAppFees } from "../execute/claimAppFees.ts";
export { type AccessToken, createAccessToken } from "../client/createAccessToken.ts";
export { fastFill } from "../client/fastFill.ts";
export { getAppFeeBalances } from "../client/getAppFeeBalances.ts";
export { getChainHealth } from "../client/getChainHealth.ts";
export { getChainLiquidity } from "../client/getChainLiquidity.ts";
export { getChains } from "../client/getChains.ts";
export { getConfig } from "../client/getConfig.ts";
export { getDepositAddress } from "../client/getDepositAddress.ts";
export { getPrice } from "../client/getPrice.ts";
export { getRequest } from "../client/getRequest.ts";
export { getSignature } from "../client/getSignature.ts";
export { getSignatureV2 } from "../client/getSignatureV2.ts";
export { getStatus } from "../client/getStatus.ts";
export { getSwapSources } from "../client/getSwapSources.ts";
export { getTokenPrice } from "../client/getTokenPrice.ts";
export { getTrendingCurrencies } from "../client/getTrendingCurrencies.ts";
export { getUsage } from "../client/getUsage.ts";
export { iterateRequests, iterateRequestsV2 } from "../client/iterateRequests.ts";
export { iterateAppFeeClaims, listAppFeeClaims } from "../client/listAppFeeClaims.ts";
export { listRequests, type RequestPage } from "../client/listRequests.ts";
export { listRequestsV2 } from "../client/listRequestsV2.ts";
export { reindexDepositAddress } from "../client/reindexDepositAddress.ts";
export type { RequestQuery } from "../client/requestQuery.ts";
export type { RequestQueryV2 } from "../client/requestQueryV2.ts";
export { searchCurrencies } from "../client/searchCurrencies.ts";
export { setRequestMetadata } from "../client/setRequestMetadata.ts";
export {
  type SignatureVerification,
  verifySignature,
  type VerifySignatureParameters,
} from "../client/verifySignature.ts";
export { verifySignatureV2 } from "../client/verifySignatureV2.ts";
export {
  createFastifyWebhook,
  createWebhookHandler,
  type WebhookHandler,
  type WebhookHandlerOptions,
} from "../client/webhooks/createWebhookHandler.ts";
export { createStatusFeed } from "../client/webhooks/statusFeed.ts";
export { verifyWebhook, type WebhookHeaders } from "../client/webhooks/verifyWebhook.ts";
export { type PlannedStep, planSteps, requestIdOf } from "@crosscall/protocol/quote/rules";
