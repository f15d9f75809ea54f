import { prometheusContentType } from "prom-client";
import * as Type from "typebox";

import { compact } from "@crosscall/protocol/core";
import { OracleChainsSchema, OracleLivesSchema } from "@crosscall/protocol/attestation";
import { anyFields } from "@crosscall/protocol/schema";
import { createReadiness } from "../readiness.ts";
import type { OracleRoute } from "../route.ts";

/** Health check; `withReport` adds the version. */
export const livesRoute: OracleRoute = (app, { settings, disabledChains }) => {
  const disabled = Object.keys(disabledChains);
  app.get(
    "/lives/v1",
    {
      schema: {
        summary: "Whether the oracle is up",
        querystring: Type.Object({
          withReport: Type.Optional(Type.String({ description: '"1" or "true" to include the version.' })),
        }),
        response: { 200: OracleLivesSchema },
      },
    },
    ({ query: { withReport } }) => ({
      status: "ok" as const,
      ...(withReport === "1" || withReport === "true" ? { version: String(settings.version) } : {}),
      ...(disabled.length === 0 ? {} : { disabledChains: [...disabled] }),
    }),
  );
};

const ReachabilitySchema = Type.Union([Type.Literal("ok"), Type.Literal("unreachable"), Type.Literal("disabled")]);

const ReadySchema = Type.Object({
  status: Type.Union([Type.Literal("ready"), Type.Literal("unready")]),
  chains: anyFields("State by chain id: `ok`, `unreachable` or `disabled`."),
  missing: Type.Optional(anyFields("Missing variables and fields of disabled chains, by chain id.")),
  hub: ReachabilitySchema,
  allocator: Type.Optional(ReachabilitySchema),
});

/** Shows whether the oracle can attest. `/lives/v1` only shows that the process is running. */
export const readyRoute: OracleRoute = (app, context) => {
  const { disabledChains } = context;
  const readiness = createReadiness(context);
  app.get(
    "/ready",
    {
      schema: {
        summary: "Whether the oracle reaches its chains and the hub; 503 if not",
        response: { 200: ReadySchema, 503: ReadySchema },
      },
    },
    async (_request, reply) => {
      const { isReady, chains, hub, allocator } = await readiness.check();
      reply.header("cache-control", "no-store");
      const body = { status: isReady ? ("ready" as const) : ("unready" as const), chains: { ...chains }, hub };
      const missing = Object.keys(disabledChains).length === 0 ? undefined : { ...disabledChains };
      return reply.status(isReady ? 200 : 503).send({ ...body, ...compact({ missing, allocator }) });
    },
  );
};

/** Lists the chains that this instance attests, without the rest of the configuration. */
export const chainsRoute: OracleRoute = (app, { chains }) => {
  app.get(
    "/chains/v1",
    { schema: { summary: "The chains that the oracle attests", response: { 200: OracleChainsSchema } } },
    () => ({
      chains: chains.all.map(({ config: { id, vmType, depository } }) => compact({ id, vmType, depository })),
    }),
  );
};

/** Prometheus metrics. */
export const metricsRoute: OracleRoute = (app, { readMetrics }) => {
  app.get("/metrics", { schema: { hide: true } }, async (_request, reply) => {
    const text = await readMetrics();
    return reply.type(prometheusContentType).send(text);
  });
};
