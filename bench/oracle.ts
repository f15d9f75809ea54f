// Attestations per second of the oracle, on anvil and on a stand-in, and how its time is spent: `npm run bench:oracle`,
// with `-- --help` for options.
import type { Stages } from "../scripts/terminal/stages.ts";
import { type Load, measureLoad, startBenchOracle } from "./oracle/measureLoad.ts";
import { measureParts, type Parts } from "./oracle/measureParts.ts";
import { type BenchNode, startAnvilNode, startStandIn } from "./oracle/nodes.ts";
import { type Measured, runBenchmark } from "./runBenchmark.ts";
import { toTable } from "./table.ts";

const DURATION_MS = 4_000;
const WARM_UP_MS = 3_000;
/** On anvil, which has a limited number of deposits. */
const DISTINCT_REQUESTS = 800;

interface Setup {
  readonly workers: number;
  readonly connections: readonly number[];
  /** As many as fit in the time by default. */
  readonly requests?: number;
}

interface Bar {
  readonly what: string;
  readonly bar: number;
  readonly measured: number;
  readonly isMet: boolean;
}

process.exitCode = await runBenchmark({
  name: "bench:oracle",
  description: "Measure how many deposits the attestation oracle attests per second, and how its time is spent.",
  failure: "Exits with 1 if a limit is missed on the stand-in.",
  measure,
});

async function measure(stages: Stages, signal: AbortSignal): Promise<Measured> {
  const loads: Load[] = [];
  const measureOn = async (node: BenchNode, { workers, connections, requests }: Setup): Promise<void> => {
    const oracle = await startBenchOracle(node, workers);
    const run = (load: Pick<Load, "connections" | "deposits">, durationMs = DURATION_MS) =>
      measureLoad(node, oracle, { ...load, durationMs, signal, ...(requests === undefined ? {} : { requests }) });
    try {
      await run({ deposits: "distinct", connections: 8 }, WARM_UP_MS);
      for (const deposits of ["distinct", "repeated"] as const) {
        for (const each of connections) {
          const name = `Attest ${deposits} deposits of ${node.name} over ${each} connections, ${workers} workers`;
          loads.push(await stages.run(name, () => run({ deposits, connections: each })));
        }
      }
      if (requests === undefined)
        loads.push(await stages.run("List chains", () => run({ deposits: "none", connections: 8 })));
    } finally {
      oracle.close();
    }
  };
  const onNode = async (start: () => Promise<BenchNode>, ...setups: readonly Setup[]): Promise<void> => {
    const node = await stages.run("Start a node", start);
    try {
      for (const setup of setups) await measureOn(node, setup);
    } finally {
      node.close();
    }
  };
  await onNode(startStandIn, { workers: 1, connections: [1, 8, 32] }, { workers: 2, connections: [8, 32] });
  const onAnvil = { workers: 1, connections: [8, 32], requests: DISTINCT_REQUESTS };
  await onNode(() => startAnvilNode(1), onAnvil);
  await onNode(() => startAnvilNode(10), onAnvil);
  const parts = await stages.run("Time the parts of an attestation", measureParts);
  const bars = toBars(loads);
  const ok = bars.every(({ isMet }) => isMet);
  return { ok, json: { ok, loads, parts, bars }, text: toText(loads, parts, bars) };
}

/** On the stand-in, so that the oracle is the limit. */
function toBars(loads: readonly Load[]): Bar[] {
  const of = (deposits: Load["deposits"], connections: number, workers = 1): Load | undefined =>
    loads.find(
      (load) =>
        load.node === "stand-in" &&
        load.deposits === deposits &&
        load.connections === connections &&
        load.workers === workers,
    );
  const atLeast = (what: string, bar: number, measured = 0): Bar => ({ what, bar, measured, isMet: measured >= bar });
  const cpu = of("distinct", 32)?.cpuMs ?? Infinity;
  return [
    atLeast("distinct per second, 8 connections, 2 workers", 4_000, of("distinct", 8, 2)?.perSecond),
    atLeast("repeated per second, 8 connections", 10_000, of("repeated", 8)?.perSecond),
    { what: "CPU ms of a distinct one, 32 connections", bar: 0.35, measured: cpu, isMet: cpu <= 0.35 },
  ];
}

function toText(loads: readonly Load[], parts: Parts, bars: readonly Bar[]): string {
  const { hashingMs, signingMs, viemSigningMs } = parts;
  return [
    toTable([
      ["node", "workers", "deposits", "connections", "per second", "p50 ms", "p99 ms", "CPU ms"],
      ...loads.map(({ node, workers, deposits, connections, perSecond, p50Ms, p99Ms, cpuMs }) => [
        node,
        workers.toString(),
        deposits,
        connections.toString(),
        perSecond.toFixed(0),
        p50Ms.toFixed(1),
        p99Ms.toFixed(1),
        cpuMs.toFixed(2),
      ]),
    ]),
    "",
    ...loads
      .filter(({ workers }) => workers > 1)
      .map((load) => {
        const one = loads.find((other) => other.workers === 1 && isSameLoad(other, load));
        const factor = (load.perSecond / (one?.perSecond ?? Number.NaN)).toFixed(2);
        return `${load.workers} workers, ${load.deposits}, ${load.connections} connections: ${factor} times the rate of 1.`;
      }),
    "",
    `CPU ms of each part alone: hashing ${hashingMs.toFixed(2)}, signing ${signingMs.toFixed(2)};`,
    `signing with viem ${viemSigningMs.toFixed(2)}, ${(viemSigningMs / signingMs).toFixed(1)} times as long.`,
    "",
    toTable([
      ["limit on the stand-in", "required", "measured"],
      ...bars.map(({ what, bar, measured }) => [
        what,
        String(bar),
        measured < 10 ? measured.toFixed(2) : measured.toFixed(0),
      ]),
    ]),
    "",
  ].join("\n");
}

function isSameLoad(a: Load, b: Load): boolean {
  return a.node === b.node && a.deposits === b.deposits && a.connections === b.connections;
}
