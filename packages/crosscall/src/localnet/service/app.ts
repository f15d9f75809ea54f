import { addAdminRoutes } from "./admin/addAdminRoutes.ts";
import { createApp } from "./createApp.ts";
import { addResponseFaults } from "./faults/responseFaults.ts";
import { addQuoteScenarios } from "./faults/quoteScenarios.ts";
import { countUsage } from "./metrics/countUsage.ts";
import { addMetrics } from "./metrics/metrics.ts";
import type { ServiceApp, ServiceRoute } from "./route.ts";
import { accessTokensRoute } from "./routes/accessTokens.ts";
import { appFeesRoute } from "./routes/appFees.ts";
import { authorizeRoute } from "./routes/authorize.ts";
import { chainHealthRoute, chainsRoute, swapSourcesRoute } from "./routes/chains.ts";
import { currenciesRoute, currenciesTrendingRoute, currencyPriceRoute, priceRatesRoute } from "./routes/currencies.ts";
import { currencyDetailsRoute } from "./routes/currencyDetails.ts";
import { depositAddressReindexRoute, depositAddressRoute } from "./routes/depositAddress.ts";
import { executePermitsRoute, executeRoute, fastFillRoute } from "./routes/execute.ts";
import { livesRoute, readyRoute } from "./routes/health.ts";
import { chainLiquidityRoute, configRoute } from "./routes/liquidity.ts";
import { requestListV1Route, requestListV2Route } from "./routes/olderRequestLists.ts";
import { quoteRoute } from "./routes/quote.ts";
import { requestListRoute } from "./routes/requestList.ts";
import { intentStatusRoute, requestMetadataRoute, requestSignatureRoute } from "./routes/requests.ts";
import { transactionIndexRoute, transactionSingleRoute, transactionStatusRoute } from "./routes/transactions.ts";
import { usageRoute } from "./routes/usage.ts";
import type { ServiceParts } from "./serviceParts.ts";
import { addWebsocket } from "./websocket.ts";

const ROUTES: readonly ServiceRoute[] = [
  accessTokensRoute,
  appFeesRoute,
  authorizeRoute,
  chainHealthRoute,
  chainLiquidityRoute,
  chainsRoute,
  configRoute,
  currenciesRoute,
  currenciesTrendingRoute,
  currencyDetailsRoute,
  currencyPriceRoute,
  depositAddressReindexRoute,
  depositAddressRoute,
  executeRoute,
  executePermitsRoute,
  fastFillRoute,
  intentStatusRoute,
  livesRoute,
  priceRatesRoute,
  quoteRoute,
  readyRoute,
  requestListRoute,
  requestListV1Route,
  requestListV2Route,
  requestMetadataRoute,
  requestSignatureRoute,
  swapSourcesRoute,
  transactionIndexRoute,
  transactionSingleRoute,
  transactionStatusRoute,
];

/** Creates the HTTP API. Errors are `{message, errorCode}`; documentation is at `/documentation`. */
export async function createServiceApp(parts: ServiceParts): Promise<ServiceApp> {
  const app = await createApp(parts, {
    title: "crosscall local service",
    description: "The cross-chain call execution service, on a local network.",
  });
  addMetrics(app, parts);
  usageRoute(app, parts, countUsage(app, parts));
  addResponseFaults(app, parts);
  addQuoteScenarios(app, parts);
  addAdminRoutes(app, parts);
  for (const route of ROUTES) route(app, parts);
  await addWebsocket(app, parts);
  return app;
}

/** Creates the health and metrics endpoints of a worker, for orchestrators. */
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
