import cors from "@fastify/cors";
import { fastify, LogController } from "fastify";

import { addAdmission } from "./admission.ts";
import { addDocumentation, type AppInfo } from "./documentation.ts";
import { answerError, answerUnknownRoute } from "./errors.ts";
import { refuseBrokenCall } from "./refuseBrokenCall.ts";
import type { ServiceApp } from "./route.ts";
import type { AppParts } from "./serviceParts.ts";
import { compileValidator } from "./validation.ts";

/** How long a caller may take to send a call when nothing else is said, in milliseconds. */
export const CALL_TIMEOUT_MS = 10_000;

/** An application without routes: who may call, how bodies are checked and errors answered, `/documentation`. */
export async function createApp(parts: AppParts, info: AppInfo): Promise<ServiceApp> {
  const { callTimeoutMs } = parts;
  const app: ServiceApp = fastify({
    loggerInstance: parts.log,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    requestTimeout: callTimeoutMs,
    // Calls are looked at for their time by this interval.
    http: { headersTimeout: callTimeoutMs, connectionsCheckingInterval: Math.ceil(callTimeoutMs / 4) },
    clientErrorHandler: refuseBrokenCall,
  });
  app.setValidatorCompiler(compileValidator);
  // Compiling a serializer for each schema takes longer than it will ever save.
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(answerUnknownRoute);
  // Applications in a browser are served from another port.
  await app.register(cors, { origin: true });
  addAdmission(app, parts);
  await addDocumentation(app, info);
  return app;
}
