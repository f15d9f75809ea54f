import { Gauge, type Registry } from "prom-client";

import type { DevChain } from "../../devchain/devChain.ts";
import { findHead } from "../../devchain/findHead.ts";
import { countRequestsByOutcome, type RequestCount } from "../../store/requests/statistics.ts";
import { findScannedBlock } from "../../store/scans.ts";
import { countDeliveries } from "../../store/webhooks.ts";
import type { ServiceParts } from "../serviceParts.ts";

type LabelledValue = readonly [labels: Readonly<Record<string, string | number>>, value: number];

/**
 * Values are read on each scrape, so every process of a database reports the same.
 *
 * @returns reads them again
 */
export function addStateMetrics(
  parts: Pick<ServiceParts, "chains" | "store">,
  registry: Registry,
): () => Promise<void> {
  const { store } = parts;
  // Resets all first, so that stale values disappear.
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
  /** Undefined if the chain does not answer. */
  readonly latest: number | undefined;
  readonly scanned: number;
}

async function readHead({ store }: Pick<ServiceParts, "store">, chain: DevChain): Promise<ChainHead> {
  // The head comes last, so that the scan is never ahead of it.
  const scanned = await findScannedBlock(store.db, chain.id);
  return { chain: chain.id, latest: await findHead(chain), scanned };
}
