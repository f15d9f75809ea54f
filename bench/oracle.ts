// CPU time of an attestation, on anvil and on a stand-in node, and of its parts alone: `npm run bench:oracle`, with `--
// --help` for options.
import type { Stages } from "../packages/crosscall/src/terminal/stages.ts";
import {
  type BenchServer,
  type Load,
  measureLoad,
  type Run,
  startBenchOracle,
  startEmptyRoute,
} from "./oracle/measureLoad.ts";
import { measureParts, type Parts } from "./oracle/measureParts.ts";
import { type BenchNode, startAnvilNode, startStandIn } from "./oracle/nodes.ts";
import { type Measured, runBenchmark } from "./runBenchmark.ts";
import { toTable } from "./table.ts";

const CONNECTIONS = [1, 8, 32] as const;

interface Size {
  /** Requests before measuring. Each takes twice as long until V8 has optimized the code. */
  readonly warmUp: number;
  readonly rounds: number;
  /** Requests per load and round. */
  readonly requests: number;
}

const ON_STAND_IN: Size = { warmUp: 8_000, rounds: 5, requests: 1_500 };
/** Limited by the number of deposits on anvil. */
const ON_ANVIL: Size = { warmUp: 600, rounds: 3, requests: 300 };

/** Best of several runs, because other programs on the machine only add time. */
interface Result extends Load, Run {
  readonly node: string;
  readonly workers: number;
}

/** Results of the empty route, by number of connections. */
type EmptyRoutes = Readonly<Record<number, Run>>;

interface Bar {
  readonly what: string;
  /** The limit is a maximum for `CPU ms` and a minimum for `per second`. */
  readonly unit: "CPU ms" | "per second";
  readonly bar: number;
  readonly measured: number;
  readonly isMet: boolean;
}

process.exitCode = await runBenchmark({
  name: "bench:oracle",
  description: "Measure the CPU time of an attestation, and of its parts alone.",
  failure: "Exits with 1 if a limit is missed on the stand-in.",
  measure,
});

async function measure(stages: Stages, signal: AbortSignal): Promise<Measured> {
  const results: Result[] = [];
  const onNode = async (start: () => Promise<BenchNode>, workers: number, size: Size): Promise<void> => {
    const node = await stages.run("Start a node", start);
    const loads = (["distinct", "repeated"] as const).flatMap((deposits) =>
      CONNECTIONS.map((connections) => ({ deposits, connections })),
    );
    const name = `Request attestations on ${node.name} from ${workers === 1 ? "1 process" : `${workers} processes`}`;
    try {
      const server = await startBenchOracle(node, workers);
      const runs = await stages.run(name, () => measureInRounds(node, server, loads, { ...size, signal }));
      for (const [index, load] of loads.entries()) {
        results.push({ node: node.name, workers, ...load, ...best(runs[index] ?? []) });
      }
    } finally {
      node.close();
    }
  };
  await onNode(startStandIn, 1, ON_STAND_IN);
  await onNode(startStandIn, 2, ON_STAND_IN);
  await onNode(() => startAnvilNode(1), 1, ON_ANVIL);
  await onNode(() => startAnvilNode(10), 1, ON_ANVIL);
  const emptyRoutes = await stages.run("Request an empty route", () => measureEmptyRoute(signal));
  const parts = await stages.run("Time hashing and signing alone", measureParts);
  const bars = toBars(results);
  const ok = bars.every(({ isMet }) => isMet);
  return { ok, json: { ok, results, parts, emptyRoutes, bars }, text: toText(results, parts, emptyRoutes, bars) };
}

/** Measures every load in each round, so that other work on the machine affects all loads equally. */
async function measureInRounds(
  node: BenchNode,
  server: BenchServer,
  loads: readonly Load[],
  { warmUp, rounds, requests, signal }: Size & { readonly signal: AbortSignal },
): Promise<readonly (readonly Run[])[]> {
  const runs = loads.map((): Run[] => []);
  try {
    await measureLoad(node, server, { deposits: "distinct", connections: 8, requests: warmUp, signal });
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, load] of loads.entries()) {
        runs[index]?.push(await measureLoad(node, server, { ...load, requests, signal }));
      }
    }
  } finally {
    server.close();
  }
  return runs;
}

async function measureEmptyRoute(signal: AbortSignal): Promise<EmptyRoutes> {
  const node = await startStandIn();
  try {
    const loads = CONNECTIONS.map((connections) => ({ deposits: "distinct" as const, connections }));
    const runs = await measureInRounds(node, await startEmptyRoute(), loads, { ...ON_STAND_IN, signal });
    return Object.fromEntries(CONNECTIONS.map((connections, index) => [connections, best(runs[index] ?? [])]));
  } finally {
    node.close();
  }
}

function best(runs: readonly Run[]): Run {
  const [first] = runs.toSorted((a, b) => a.cpuMs - b.cpuMs);
  if (first === undefined) throw new Error("the load never ran");
  return first;
}

/** Limits apply to the stand-in node, where the oracle is the bottleneck. Rates require two idle processors. */
function toBars(results: readonly Result[]): Bar[] {
  const of = (deposits: Load["deposits"], connections: number, workers: number): Result | undefined =>
    results.find(
      (one) =>
        one.node === "stand-in" &&
        one.deposits === deposits &&
        one.connections === connections &&
        one.workers === workers,
    );
  const named = (deposits: Load["deposits"], connections: number, workers: number): string =>
    `${deposits}, ${connections} connections, ${workers === 1 ? "1 process" : `${workers} processes`}`;
  const cpu = (deposits: Load["deposits"], connections: number, workers: number, bar: number): Bar => {
    const measured = of(deposits, connections, workers)?.cpuMs ?? Infinity;
    return { what: named(deposits, connections, workers), unit: "CPU ms", bar, measured, isMet: measured <= bar };
  };
  const rate = (deposits: Load["deposits"], connections: number, workers: number, bar: number): Bar => {
    const measured = of(deposits, connections, workers)?.perSecond ?? 0;
    return { what: named(deposits, connections, workers), unit: "per second", bar, measured, isMet: measured >= bar };
  };
  return [
    cpu("distinct", 8, 1, 0.45),
    cpu("distinct", 32, 1, 0.35),
    cpu("distinct", 8, 2, 0.5),
    cpu("repeated", 8, 1, 0.1),
    rate("distinct", 8, 2, 4_000),
    rate("repeated", 8, 1, 10_000),
  ];
}

function toText(results: readonly Result[], parts: Parts, emptyRoutes: EmptyRoutes, bars: readonly Bar[]): string {
  const { hashingMs, signingMs, viemSigningMs } = parts;
  const toFloor = (connections: number): readonly string[] => {
    const route = emptyRoutes[connections]?.cpuMs ?? Number.NaN;
    const floor = hashingMs + signingMs + route;
    const cpuMs =
      results.find((one) => one.workers === 1 && one.deposits === "distinct" && one.connections === connections)
        ?.cpuMs ?? Number.NaN;
    const values = [hashingMs, signingMs, route, floor, cpuMs, cpuMs / floor];
    return [connections.toString(), ...values.map((value) => value.toFixed(2))];
  };
  return [
    "CPU ms of a new attestation on the stand-in, and of its parts alone:",
    "",
    toTable([
      ["connections", "hashing", "signing", "empty route", "sum", "oracle", "times the sum"],
      ...CONNECTIONS.map(toFloor),
    ]),
    "",
    `Signing with viem takes ${viemSigningMs.toFixed(2)}, which is ${(viemSigningMs / signingMs).toFixed(1)} times as long.`,
    "",
    toTable([
      ["node", "processes", "deposits", "connections", "per second", "p50 ms", "p99 ms", "CPU ms"],
      ...results.map(({ node, workers, deposits, connections, perSecond, p50Ms, p99Ms, cpuMs }) => [
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
    toTable([
      ["limit on the stand-in", "unit", "required", "measured", "met"],
      ...bars.map(({ what, unit, bar, measured, isMet }) => {
        const digits = unit === "CPU ms" ? 2 : 0;
        const required = `${unit === "CPU ms" ? "at most" : "at least"} ${bar.toFixed(digits)}`;
        return [what, unit, required, measured.toFixed(digits), isMet ? "yes" : "NO"];
      }),
    ]),
    "",
  ].join("\n");
}
