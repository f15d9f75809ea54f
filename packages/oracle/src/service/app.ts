import buildValidators from "@fastify/ajv-compiler";
import buildSerializers from "@fastify/fast-json-stringify-compiler";
import swagger from "@fastify/swagger";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import {
  fastify,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchema,
  type FastifySchemaCompiler,
  type FastifySerializerCompiler,
} from "fastify";

import { VERSION } from "../version.ts";
import type { OracleContext } from "../oracleContext.ts";
import { createAccess, isOpen } from "./access.ts";
import { findExcess } from "./bounds.ts";
import { documentationPages } from "./documentationPages.ts";
import { createErrorHandler } from "./errors.ts";
import type { OracleApp } from "./route.ts";
import { addAttestationRoutes } from "./routes/attestations.ts";
import { chainsRoute, livesRoute, metricsRoute, readyRoute } from "./routes/status.ts";

/** Maximum length of a body in bytes, as in the public oracle. */
const BODY_LIMIT_BYTES = 1024 * 1024;

// Shared by all oracles in a process, because creating a schema compiler takes longer than compiling the schemas.
const compileSchema = buildValidators()({}, { customOptions: {} });
const compileResponse = buildSerializers()({});

// Compile each schema at its first request, because compiling all schemas takes half of the CPU time to start.
const compileValidator: FastifySchemaCompiler<FastifySchema> = (route) => {
  let validate: ReturnType<typeof compileSchema> | undefined;
  return (data) => {
    validate ??= compileSchema(route);
    return validate(data) === true || { error: validate.errors ?? [] };
  };
};

const compileSerializer: FastifySerializerCompiler<FastifySchema> = (route) => {
  let serialize: ReturnType<typeof compileResponse> | undefined;
  return (data) => (serialize ??= compileResponse({ ...route, httpStatus: route.httpStatus ?? "" }))(data);
};

/** Limits on the duration and number of open connections. */
export interface ConnectionLimits {
  /** Time to send the headers of a request. */
  readonly headersTimeoutMs: number;
  /** Time to send a whole request. */
  readonly requestTimeoutMs: number;
  /** Time between two requests. It is longer than load balancers wait. */
  readonly keepAliveTimeoutMs: number;
  /** Time to receive each part of a response. */
  readonly responseTimeoutMs: number;
  /** Interval at which the first two limits are checked. */
  readonly checkEveryMs: number;
  readonly maxConnections: number;
}

const CONNECTION_LIMITS: ConnectionLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 72_000,
  responseTimeoutMs: 30_000,
  checkEveryMs: 5_000,
  maxConnections: 4_096,
};

/** Creates the HTTP service. */
export async function createOracleApp(
  context: OracleContext,
  limits: ConnectionLimits = CONNECTION_LIMITS,
): Promise<OracleApp> {
  const { settings, rateLimit, observer, log } = context;
  const options = {
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    http: { headersTimeout: limits.headersTimeoutMs, connectionsCheckingInterval: limits.checkEveryMs },
    forceCloseConnections: "idle" as const,
  };
  const app: OracleApp = fastify(options).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  app.server.maxConnections = limits.maxConnections;
  const access = createAccess(settings.apiKeys);

  const limit = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (isOpen(request.url) || access.labelOf(request) !== undefined) return undefined;
    const { isOver, headers } = await rateLimit.count(request.ip);
    reply.headers(headers);
    return isOver ? reply.status(429).send({ error: "Rate limit exceeded" }) : undefined;
  };

  app.setErrorHandler(createErrorHandler(log, (request) => access.labelOf(request)));
  app.setNotFoundHandler(({ method, url }, reply) =>
    reply.status(404).send({ message: `Route ${method}:${url} not found`, error: "Not Found", statusCode: 404 }),
  );
  // Rejects unauthorized requests before reading their bodies, and limits their rate, so that keys cannot be guessed.
  app.addHook("onRequest", async (request, reply) => {
    // Rejects a target with a host, which would be passed on to peers.
    if (!request.url.startsWith("/")) return reply.status(400).send({ message: "The target must be a path" });
    if (access.isAllowed(request)) return undefined;
    await limit(request, reply);
    return reply.sent ? reply : reply.status(401).send({ message: "Unauthorized" });
  });
  app.addHook("preValidation", (request, _reply, done) => done(findExcess(request.body)));
  // Checks the bounds again, because the validator reads a string with many digits as Infinity and skips its maximum.
  app.addHook("preHandler", (request, _reply, done) => done(findExcess(request.body)));
  app.addHook("preHandler", limit);
  // Closes connections during shutdown, which open connections would delay.
  let isClosing = false;
  app.addHook("preClose", (done) => {
    isClosing = true;
    done();
  });
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (isClosing) reply.header("connection", "close");
    // Sets the timeout only now, because an attestation can take a long time.
    reply.raw.setTimeout(limits.responseTimeoutMs, () => reply.raw.destroy());
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    observer.answered(request.routeOptions.url ?? "unknown", reply.statusCode, reply.elapsedTime / 1000);
    const caller = access.labelOf(request);
    if (caller !== undefined) observer.answeredCaller(caller, reply.statusCode);
    done();
  });

  await app.register(swagger, {
    openapi: {
      openapi: "3.0.3",
      info: {
        title: "crosscall attestation oracle",
        description: "Attests events on chains for the settlement of orders.",
        version: settings.version ?? VERSION,
      },
    },
  });
  await app.register(documentationPages, { prefix: "/documentation" });
  for (const route of [livesRoute, readyRoute, chainsRoute, metricsRoute]) route(app, context);
  addAttestationRoutes(app, context, (request) => access.labelOf(request) !== undefined);
  return app;
}
