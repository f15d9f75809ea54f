import { chainControlsRoute } from "./admin/chains.ts";
import { clockRoute } from "./admin/clock.ts";
import { fillsRoute } from "./admin/fills.ts";
import { keysRoute } from "./admin/keys.ts";
import { recordFieldsRoute } from "./admin/recordFields.ts";
import { requestTransitionsRoute } from "./admin/requestTransitions.ts";
import { restrictionsRoute } from "./admin/restrictions.ts";
import { revenueShareRoute } from "./admin/revenueShare.ts";
import { scenariosRoute } from "./admin/scenarios.ts";
import { simulatedDepositRoute } from "./admin/simulatedDeposit.ts";
import { snapshotRoute } from "./admin/snapshot.ts";
import { sponsorsRoute } from "./admin/sponsors.ts";
import { webhooksRoute } from "./admin/webhooks.ts";
import { createApp } from "./createApp.ts";
import { addAnswerFaults } from "./faults/answerFaults.ts";
import { addQuoteScenarios } from "./faults/quoteScenarios.ts";
import { addMetrics } from "./metrics/addMetrics.ts";
import { countUsage } from "./metrics/countUsage.ts";
import type { ServiceApp, ServiceRoute } from "./route.ts";
import { accessTokensRoute } from "./routes/accessTokens.ts";
import { appFeesRoute } from "./routes/appFees.ts";
import { chainHealthRoute } from "./routes/chainHealth.ts";
import { chainLiquidityRoute } from "./routes/chainLiquidity.ts";
import { chainsRoute } from "./routes/chains.ts";
import { configRoute } from "./routes/config.ts";
import { currenciesRoute } from "./routes/currencies.ts";
import { currenciesTrendingRoute } from "./routes/currenciesTrending.ts";
import { currencyPriceRoute } from "./routes/currencyPrice.ts";
import { depositAddressRoute } from "./routes/depositAddress.ts";
import { depositAddressReindexRoute } from "./routes/depositAddressReindex.ts";
import { executeRoute } from "./routes/execute.ts";
import { executePermitsRoute } from "./routes/executePermits.ts";
import { fastFillRoute } from "./routes/fastFill.ts";
import { intentStatusRoute } from "./routes/intentStatus.ts";
import { livesRoute } from "./routes/lives.ts";
import { priceRoute } from "./routes/price.ts";
import { quoteRoute } from "./routes/quote.ts";
import { readyRoute } from "./routes/ready.ts";
import { requestListRoute } from "./routes/requestList.ts";
import { requestListV1Route } from "./routes/requestListV1.ts";
import { requestListV2Route } from "./routes/requestListV2.ts";
import { requestMetadataRoute } from "./routes/requestMetadata.ts";
import { requestSignatureRoute } from "./routes/requestSignature.ts";
import { swapSourcesRoute } from "./routes/swapSources.ts";
import { transactionIndexRoute } from "./routes/transactionIndex.ts";
import { transactionSingleRoute } from "./routes/transactionSingle.ts";
import { usageRoute } from "./routes/usage.ts";
import type { ServiceParts } from "./serviceParts.ts";
import { addWebsocket } from "./websocket.ts";

const ROUTES: readonly ServiceRoute[] = [
  accessTokensRoute,
  appFeesRoute,
  chainControlsRoute,
  chainHealthRoute,
  chainLiquidityRoute,
  chainsRoute,
  clockRoute,
  configRoute,
  currenciesRoute,
  currenciesTrendingRoute,
  currencyPriceRoute,
  depositAddressReindexRoute,
  depositAddressRoute,
  executeRoute,
  executePermitsRoute,
  fastFillRoute,
  fillsRoute,
  intentStatusRoute,
  keysRoute,
  livesRoute,
  priceRoute,
  quoteRoute,
  readyRoute,
  requestListRoute,
  requestListV1Route,
  requestListV2Route,
  recordFieldsRoute,
  requestMetadataRoute,
  requestSignatureRoute,
  requestTransitionsRoute,
  restrictionsRoute,
  revenueShareRoute,
  scenariosRoute,
  simulatedDepositRoute,
  snapshotRoute,
  sponsorsRoute,
  swapSourcesRoute,
  transactionIndexRoute,
  transactionSingleRoute,
  webhooksRoute,
];

/** Errors are `{message, errorCode}`; documentation is at `/documentation`. */
export async function createServiceApp(parts: ServiceParts): Promise<ServiceApp> {
  const app = await createApp(parts, {
    title: "crosscall local service",
    description: "The cross-chain call execution service, on a local network.",
  });
  addMetrics(app, parts);
  usageRoute(app, parts, countUsage(app, parts));
  addAnswerFaults(app, parts);
  addQuoteScenarios(app, parts);
  for (const route of ROUTES) route(app, parts);
  await addWebsocket(app, parts);
  return app;
}

/** For an orchestrator that checks a process without API. */
export async function createWorkerApp(parts: ServiceParts): Promise<ServiceApp> {
  const app = await createApp(parts, {
    title: "crosscall local worker",
    description: "The solver and the webhooks of a local network.",
  });
  addMetrics(app, parts);
  livesRoute(app);
  readyRoute(app, parts);
  return app;
}
