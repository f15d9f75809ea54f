import { Counter, Gauge, Histogram, Registry } from "prom-client";
import * as Type from "typebox";

import type { DevChain } from "../../devchain/devChain.ts";
import { countRequestsByOutcome, type RequestCount } from "../../store/requests/statistics.ts";
import { findScannedBlock } from "../../store/scans.ts";
import { countDeliveries } from "../../store/webhooks.ts";
import { findHead } from "../../devchain/readChain.ts";
import { QUOTE_PATHS } from "../keys/keyOptions.ts";
import type { ServiceApp } from "../route.ts";
import type { ChainReader, StoreUser } from "../../market/market.ts";

/** Adds metrics in Prometheus text format, without keys, addresses or ids. */
export function addMetrics(app: ServiceApp, parts: ChainReader & StoreUser): void {
  // Services in the same process must not share the library's registry.
  const registry = new Registry();
  measureCalls(app, registry);
  const readState = addStateMetrics(parts, registry);
  app.get(
    "/metrics",
    {
      schema: {
        summary: "Metrics for Prometheus",
        produces: ["text/plain"],
        response: { 200: Type.String({ description: "Prometheus text format." }) },
      },
      serializerCompiler: () => String,
    },
    async (_request, reply) => {
      await readState();
      return reply.type(registry.contentType).send(await registry.metrics());
    },
  );
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Labels requests with the route's pattern, because each path would create a new series. */
function measureCalls(app: ServiceApp, registry: Registry): void {
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

type LabelledValue = readonly [labels: Readonly<Record<string, string | number>>, value: number];

/**
 * Adds metrics whose values are read on each scrape, so all processes on a database report the same values.
 *
 * @returns a function that reads the values again
 */
function addStateMetrics(parts: ChainReader & StoreUser, registry: Registry): () => Promise<void> {
  const { store } = parts;
  // Resets the metric first, so that stale values disappear.
  const gauge = (name: string, help: string, ...labelNames: string[]) => {
    const metric = new Gauge({ name, help, labelNames, registers: [registry] });
    return (values: readonly LabelledValue[]): void => {
      metric.reset();
      for (const [labels, value] of values) metric.inc(labels, value);
    };
  };
  const setRequests = gauge("crosscall_requests", "Requests by status.", "status");
  const setOutcomes = gauge(
    "crosscall_request_outcomes",
    "Requests that ended, by outcome (fill, refund, failure) and failReason.",
    "outcome",
    "reason",
  );
  const setJobs = gauge("crosscall_jobs", "Queued and running jobs, by queue.", "queue");
  const setEvents = gauge("crosscall_webhook_events", "Webhook events by delivery state.", "state");
  const setUp = gauge("crosscall_chain_up", "1 if the chain responds, 0 otherwise.", "chain");
  const setHead = gauge("crosscall_chain_head", "A chain's last block.", "chain");
  const setLag = gauge("crosscall_chain_scan_lag_blocks", "Blocks not yet scanned for deposits.", "chain");

  return async () => {
    const [counts, depths, deliveries, heads] = await Promise.all([
      countRequestsByOutcome(store.db),
      store.queueDepths(),
      countDeliveries(store.db),
      Promise.all([...parts.chains.values()].map((chain) => readHead(parts, chain))),
    ]);
    setRequests(counts.map(({ status, count }) => [{ status }, count]));
    setOutcomes(counts.flatMap(toOutcome));
    setJobs([...depths].map(([queue, depth]) => [{ queue }, depth]));
    setEvents([
      ...["pending", "delivered", "undelivered"].map((state) => [{ state }, 0] as const),
      ...deliveries.map(({ state, count }) => [{ state }, count] as const),
    ]);
    setUp(heads.map(({ chain, latest }) => [{ chain }, latest === undefined ? 0 : 1]));
    setHead(heads.flatMap(({ chain, latest }) => (latest === undefined ? [] : [[{ chain }, latest]])));
    setLag(
      heads.flatMap(({ chain, latest, scanned }) =>
        latest === undefined ? [] : [[{ chain }, Math.max(0, latest - scanned)]],
      ),
    );
  };
}

function toOutcome({ status, failReason, count }: RequestCount): LabelledValue[] {
  const reason = failReason ?? "none";
  if (status === "success") return [[{ outcome: "fill", reason }, count]];
  return status === "refund" || status === "failure" ? [[{ outcome: status, reason }, count]] : [];
}

interface ChainHead {
  readonly chain: number;
  /** Number of the latest block; undefined if the chain does not respond. */
  readonly latest: number | undefined;
  readonly scanned: number;
}

async function readHead({ store }: StoreUser, chain: DevChain): Promise<ChainHead> {
  // Reads the head after the scan, so that the scan is never ahead of it.
  const scanned = await findScannedBlock(store.db, chain.id);
  return { chain: chain.id, latest: await findHead(chain), scanned };
}
