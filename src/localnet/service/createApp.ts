import cors from "@fastify/cors";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { fastify, LogController } from "fastify";

import type { Log } from "../log.ts";
import { addAdmission, type AdmissionContext } from "./admission.ts";
import { answerError, answerUnknownRoute } from "./errors.ts";
import type { ServiceApp } from "./route.ts";
import { compileValidator } from "./validation.ts";

/** An application without routes: who may call, how bodies are checked and errors answered, `/documentation`. */
export async function createApp(
  context: AdmissionContext & { readonly log: Log },
  info: { readonly title: string; readonly description: string },
): Promise<ServiceApp> {
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
  await app.register(swagger, { openapi: { info: { ...info, version: "0.1.0" } } });
  await app.register(swaggerUi, { routePrefix: "/documentation" });
  return app;
}
