import { prometheusContentType } from "prom-client";

import type { OracleRoute } from "../route.ts";

/** Prometheus metrics. */
export const metricsRoute: OracleRoute = (app, { readMetrics }) => {
  app.get("/metrics", { schema: { hide: true } }, async (_request, reply) => {
    const text = await readMetrics();
    return reply.type(prometheusContentType).send(text);
  });
};
