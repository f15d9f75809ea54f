// Attestations per second of the oracle, and how its time is spent: `npm run bench:oracle`, with `-- --help` for
// options.
import type { Stages } from "../scripts/terminal/stages.ts";
import { type Load, measureLoad, startBench } from "./oracle/measureLoad.ts";
import { measureStages, type Stages as AttestationStages } from "./oracle/measureStages.ts";
import { type Measured, runBenchmark } from "./runBenchmark.ts";
import { toTable } from "./table.ts";

/** Attestations per second that at least one number of connections must reach. */
const BARS = { distinct: 1_000, repeated: 3_000 } as const;
const CONNECTIONS = [1, 8, 32] as const;
const DURATION_MS = 4_000;
const WARM_UP_MS = 2_000;

process.exitCode = await runBenchmark({
  name: "bench:oracle",
  description: "Measure how many deposits the attestation oracle attests per second, and how its time is spent.",
  failure: "Exits with 1 if a limit is missed.",
  measure,
});

async function measure(stages: Stages, signal: AbortSignal): Promise<Measured> {
  const bench = await stages.run("Start a node and an oracle", startBench);
  try {
    const loads: Load[] = [];
    await measureLoad(bench, { deposits: "distinct", connections: 8 }, WARM_UP_MS, signal);
    for (const deposits of ["distinct", "repeated"] as const) {
      for (const connections of CONNECTIONS) {
        const name = `Attest ${deposits} deposits over ${connections} connections`;
        const load = () => measureLoad(bench, { deposits, connections }, DURATION_MS, signal);
        loads.push(await stages.run(name, load));
      }
    }
    const parts = await stages.run("Time the parts of an attestation", () => measureStages(bench.rpcUrl));
    const bars = (["distinct", "repeated"] as const).map((deposits) => {
      const best = Math.max(...loads.filter((load) => load.deposits === deposits).map(({ perSecond }) => perSecond));
      return { deposits, bar: BARS[deposits], best, isMet: best >= BARS[deposits] };
    });
    const ok = bars.every(({ isMet }) => isMet);
    return { ok, json: { ok, loads, parts, bars }, text: toText(loads, parts) };
  } finally {
    bench.close();
  }
}

function toText(loads: readonly Load[], { rpcMs, hashingMs, signingMs }: AttestationStages): string {
  const floor = rpcMs + hashingMs + signingMs;
  return [
    toTable([
      ["deposits", "connections", "per second", "p50 ms", "p99 ms", "CPU ms"],
      ...loads.map(({ deposits, connections, perSecond, p50Ms, p99Ms, cpuMs }) => [
        deposits,
        connections.toString(),
        perSecond.toFixed(0),
        p50Ms.toFixed(1),
        p99Ms.toFixed(1),
        cpuMs.toFixed(2),
      ]),
    ]),
    "",
    `CPU ms of each part alone: RPC ${rpcMs.toFixed(2)}, hashing ${hashingMs.toFixed(2)}, signing ${signingMs.toFixed(2)};`,
    `total ${floor.toFixed(2)}, the lower bound. The rest of the CPU time of an attestation is HTTP.`,
    "",
  ].join("\n");
}
