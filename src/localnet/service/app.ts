import cors from "@fastify/cors";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { fastify, LogController } from "fastify";

import type { ServiceContext } from "../context.ts";
import { clockRoute } from "./admin/clock.ts";
import { requestTransitionsRoute } from "./admin/requestTransitions.ts";
import { scenariosRoute } from "./admin/scenarios.ts";
import { sponsorsRoute } from "./admin/sponsors.ts";
import { keysRoute } from "./admin/keys.ts";
import { addAdmission } from "./admission.ts";
import { answerError, answerUnknownRoute } from "./errors.ts";
import { addAnswerFaults } from "./faults/answerFaults.ts";
import { addQuoteScenarios } from "./faults/quoteScenarios.ts";
import type { ServiceApp, ServiceRoute } from "./route.ts";
import { chainsRoute } from "./routes/chains.ts";
import { intentStatusRoute } from "./routes/intentStatus.ts";
import { livesRoute } from "./routes/lives.ts";
import { quoteRoute } from "./routes/quote.ts";
import { requestListRoute } from "./routes/requestList.ts";
import { requestListV2Route } from "./routes/requestListV2.ts";
import { requestSignatureRoute } from "./routes/requestSignature.ts";
import { transactionIndexRoute } from "./routes/transactionIndex.ts";
import { compileValidator } from "./validation.ts";
import { addWebsocket } from "./websocket.ts";

const ROUTES: readonly ServiceRoute[] = [
  chainsRoute,
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
  sponsorsRoute,
  transactionIndexRoute,
];

/** Builds the service: all routes, their documentation at `/documentation`, errors as `{message, errorCode}`. */
export async function createServiceApp(context: ServiceContext): Promise<ServiceApp> {
  const app: ServiceApp = fastify({
    loggerInstance: context.log,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  });
  app.setValidatorCompiler(compileValidator);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(answerUnknownRoute);
  // Applications in a browser are served from another port.
  await app.register(cors, { origin: true });
  addAdmission(app, context);
  await app.register(swagger, {
    openapi: {
      info: {
        title: "crosscall local service",
        description: "The cross-chain call execution service, on a local network.",
        version: "0.1.0",
      },
    },
  });
  await app.register(swaggerUi, { routePrefix: "/documentation" });
  addAnswerFaults(app, context);
  addQuoteScenarios(app, context);
  for (const route of ROUTES) route(app, context);
  await addWebsocket(app, context);
  return app;
}
