import cors, { type FastifyCorsOptions } from "@fastify/cors";
import { fastify, type FastifyRequest, LogController } from "fastify";

import { SCENARIO_HEADER } from "../scenarios/readScenarios.ts";
import { addAdmission } from "./admission.ts";
import { addCallerRules, isOwnRoute } from "./caller.ts";
import { addDeprecations } from "./deprecation.ts";
import { addDocumentation, type AppInfo } from "./documentation.ts";
import { responseError, respondMalformedPath, respondUnknownRoute, rejectBrokenCall } from "./errors.ts";
import { IGNORED_HEADER } from "./quoteBodies/ignoreFields.ts";
import type { ServiceApp } from "./route.ts";
import type { AppParts } from "./serviceParts.ts";
import { compileValidator } from "./validation.ts";

/** Timeout for a caller to send an HTTP request, in milliseconds. */
export const CALL_TIMEOUT_MS = 10_000;

const PARAMETER_MAX_LENGTH = 1_000;

/** Headers that the live service allows. */
const CORS_HEADERS = {
  allowedHeaders: [
    "content-type",
    "x-api-key",
    "authorization",
    "relay-sdk-version",
    "relay-kit-ui-version",
    SCENARIO_HEADER,
  ],
  exposedHeaders: ["Deprecation", "Sunset", "Link", "Retry-After", IGNORED_HEADER],
  methods: ["GET", "HEAD", "POST"],
};

export async function createApp(parts: AppParts, info: AppInfo): Promise<ServiceApp> {
  const { callTimeoutMs } = parts;
  const app: ServiceApp = fastify({
    loggerInstance: parts.log,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    requestTimeout: callTimeoutMs,
    // Timeouts are checked at this interval.
    http: { headersTimeout: callTimeoutMs, connectionsCheckingInterval: Math.ceil(callTimeoutMs / 4) },
    clientErrorHandler: rejectBrokenCall,
    frameworkErrors: respondMalformedPath,
    // Accepts long parameters, because routes report invalid names better than the router.
    routerOptions: { maxParamLength: PARAMETER_MAX_LENGTH },
  });
  app.setValidatorCompiler(compileValidator);
  // Compiling a serializer per schema takes longer than it saves.
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler(responseError);
  app.setNotFoundHandler(respondUnknownRoute);
  if (parts.names !== undefined) addCallerRules(app, parts.names);
  // Web apps are served from a different port.
  await app.register(cors, {
    delegator: (request: FastifyRequest, done: (error: null, options: FastifyCorsOptions) => void) => {
      done(null, isOwnRoute(request) ? { origin: false } : { origin: true, ...CORS_HEADERS });
    },
  });
  addDeprecations(app, parts);
  addAdmission(app, parts);
  await addDocumentation(app, info);
  return app;
}
