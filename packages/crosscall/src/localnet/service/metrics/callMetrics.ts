import { Counter, Histogram, type Registry } from "prom-client";

import { QUOTE_PATHS } from "../keys/keyLimits.ts";
import type { ServiceApp } from "../route.ts";

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Labels calls with the route's pattern: every path would be a new series. */
export function measureCalls(app: ServiceApp, registry: Registry): void {
  const durations = new Histogram({
    name: "crosscall_http_request_duration_seconds",
    help: "Time from the request's headers to the end of the response.",
    labelNames: ["method", "route", "status"],
    buckets: BUCKETS,
    registers: [registry],
  });
  const quotes = new Counter({
    name: "crosscall_quotes_total",
    help: "Quote requests by result: quoted, rejected, rate limited or failed.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { method } = request;
    const route = request.routeOptions.url ?? "unknown";
    durations.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1_000);
    if (method === "POST" && QUOTE_PATHS.includes(route)) quotes.inc({ outcome: outcomeOf(reply.statusCode) });
    done();
  });
}

function outcomeOf(status: number): "quoted" | "limited" | "refused" | "failed" {
  if (status < 400) return "quoted";
  if (status === 429) return "limited";
  return status < 500 ? "refused" : "failed";
}
