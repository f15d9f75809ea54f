import type { OracleRoute } from "../route.ts";

/** Prometheus metrics. */
export const metricsRoute: OracleRoute = (app, { observer: { registry } }) => {
  app.get("/metrics", { schema: { hide: true } }, async (_request, reply) => {
    const text = await registry.metrics();
    return reply.type(registry.contentType).send(text);
  });
};
