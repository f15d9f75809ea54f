import { chainControlsRoute } from "./admin/chains.ts";
import { clockRoute } from "./admin/clock.ts";
import { keysRoute } from "./admin/keys.ts";
import { requestTransitionsRoute } from "./admin/requestTransitions.ts";
import { restrictionsRoute } from "./admin/restrictions.ts";
import { scenariosRoute } from "./admin/scenarios.ts";
import { simulatedDepositRoute } from "./admin/simulatedDeposit.ts";
import { sponsorsRoute } from "./admin/sponsors.ts";
import { webhooksRoute } from "./admin/webhooks.ts";
import { createApp } from "./createApp.ts";
import { addAnswerFaults } from "./faults/answerFaults.ts";
import { addQuoteScenarios } from "./faults/quoteScenarios.ts";
import { addMetrics } from "./metrics/addMetrics.ts";
import type { ServiceApp, ServiceRoute } from "./route.ts";
import { chainsRoute } from "./routes/chains.ts";
import { intentStatusRoute } from "./routes/intentStatus.ts";
import { livesRoute } from "./routes/lives.ts";
import { quoteRoute } from "./routes/quote.ts";
import { requestListRoute } from "./routes/requestList.ts";
import { requestListV2Route } from "./routes/requestListV2.ts";
import { requestSignatureRoute } from "./routes/requestSignature.ts";
import { transactionIndexRoute } from "./routes/transactionIndex.ts";
import { transactionSingleRoute } from "./routes/transactionSingle.ts";
import type { ServiceParts } from "./serviceParts.ts";
import { addWebsocket } from "./websocket.ts";

const ROUTES: readonly ServiceRoute[] = [
  chainsRoute,
  chainControlsRoute,
  clockRoute,
  intentStatusRoute,
  keysRoute,
  livesRoute,
  quoteRoute,
  requestListRoute,
  requestListV2Route,
  requestSignatureRoute,
  requestTransitionsRoute,
  scenariosRoute,
  restrictionsRoute,
  simulatedDepositRoute,
  sponsorsRoute,
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
  addAnswerFaults(app, parts);
  addQuoteScenarios(app, parts);
  for (const route of ROUTES) route(app, parts);
  await addWebsocket(app, parts);
  return app;
}
