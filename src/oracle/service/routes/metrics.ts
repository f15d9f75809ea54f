import type { OracleRoute } from "../route.ts";

/** `GET /metrics`: what an operator watches, for Prometheus. */
export const metricsRoute: OracleRoute = (app, { observer: { registry } }) => {
  app.get("/metrics", { schema: { hide: true } }, async (_request, reply) => {
    const text = await registry.metrics();
    return reply.type(registry.contentType).send(text);
  });
};
