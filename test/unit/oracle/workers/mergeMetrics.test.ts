import { expect } from "chai";
import { Counter, Gauge, Histogram, Registry } from "prom-client";

import { createMergedMetrics } from "../../../../packages/oracle/src/workers/mergeMetrics.ts";

describe("createMergedMetrics", () => {
  const processWith = (counted: number, probedAt: number, startedAt: number) => {
    const registry = new Registry();
    const registers = [registry];
    new Counter({ registers, name: "calls_total", help: "-", labelNames: ["chain"] }).inc({ chain: "base" }, counted);
    const times = new Histogram({ registers, name: "seconds", help: "-", buckets: [1, 2] });
    for (let each = 0; each < counted; each += 1) times.observe(1.5);
    const gauge = (name: string, value: number, aggregator: "first" | "sum") =>
      new Gauge({ registers, name, help: "-", aggregator }).set(value);
    gauge("oracle_workers", 1, "sum");
    gauge("oracle_ready", probedAt % 2, "first");
    gauge("oracle_ready_timestamp_seconds", probedAt, "first");
    gauge("process_start_time_seconds", startedAt, "sum");
    return registry.getMetricsAsJSON();
  };
  const read = async (text: Promise<string>) =>
    Object.fromEntries(
      (await text)
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("#"))
        .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
    );

  it("adds up counts, uses the latest probe, and keeps the counts of exited processes", async () => {
    const merged = createMergedMetrics();
    merged.keep(1, await processWith(2, 100, 50));
    merged.keep(2, await processWith(3, 201, 60));
    const both = {
      'calls_total{chain="base"}': 5,
      'seconds_bucket{le="1"}': 0,
      'seconds_bucket{le="2"}': 5,
      'seconds_bucket{le="+Inf"}': 5,
      seconds_sum: 7.5,
      seconds_count: 5,
      oracle_workers: 2,
      oracle_ready: 1,
      oracle_ready_timestamp_seconds: 201,
      process_start_time_seconds: 60,
    };
    expect(await read(merged.toText())).to.deep.equal(both);

    merged.keepCounts(2);
    expect(await read(merged.toText())).to.deep.include({ seconds_count: 5, oracle_workers: 1, oracle_ready: 0 });

    merged.remove(2);
    merged.remove(3);
    const latest = { oracle_workers: 1, oracle_ready: 0, oracle_ready_timestamp_seconds: 100 };
    expect(await read(merged.toText())).to.deep.equal({ ...both, ...latest, process_start_time_seconds: 50 });

    merged.keep(1, await processWith(4, 100, 50));
    merged.remove(1);
    merged.keep(4, await processWith(1, 0, 70));
    expect(await read(merged.toText())).to.deep.include({
      'calls_total{chain="base"}': 8,
      seconds_count: 8,
      oracle_workers: 1,
      process_start_time_seconds: 70,
    });
  });
});
