import { AggregatorRegistry, type Registry } from "prom-client";

export type Metrics = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** Metrics of several processes, merged. */
export interface MergedMetrics {
  /** Stores the latest metrics of a process. */
  keep(process: number, metrics: Metrics): void;
  /** Keeps only the counters of a process until it responds again. */
  keepCounts(process: number): void;
  /** Keeps only the counters of a process that exited. If the sum decreased, Prometheus would count the rest again. */
  remove(process: number): void;
  /** Returns the merged metrics in Prometheus text format. */
  toText(): Promise<string>;
}

/** Metric from which alerts count restarts. Its merged value is that of the youngest process. */
const START_TIME = "process_start_time_seconds";

const PROBED_AT = "oracle_ready_timestamp_seconds";

/** Creates merged metrics that contain no process yet. */
export function createMergedMetrics(): MergedMetrics {
  const latest = new Map<number, Metrics>();
  let counted: Promise<Metrics> = Promise.resolve([]);
  return {
    keep(process, metrics) {
      latest.set(
        process,
        metrics.map((metric) => (metric.name === START_TIME ? { ...metric, aggregator: "max" } : metric)),
      );
    },
    keepCounts: (process) => void latest.set(process, countsOf(latest.get(process))),
    remove(process) {
      const counters = countsOf(latest.get(process));
      latest.delete(process);
      counted = counted.then((before) => AggregatorRegistry.aggregate([before, counters]).getMetricsAsJSON());
    },
    async toText() {
      // Takes these gauges from the process that probed last.
      const inOrder = [...latest.values()].toSorted((a, b) => probedAt(b) - probedAt(a));
      return AggregatorRegistry.aggregate([...inOrder, await counted]).metrics();
    },
  };
}

const COUNTED: readonly string[] = ["counter", "histogram"];

function countsOf(metrics: Metrics = []): Metrics {
  return metrics.filter(({ type }) => COUNTED.includes(String(type)));
}

function probedAt(metrics: Metrics): number {
  return metrics.find(({ name }) => name === PROBED_AT)?.values[0]?.value ?? 0;
}
