// Compares the gas of one fill by several approaches: `npm run bench:gas`, with `-- --help` for options.
import type { Stages } from "../packages/crosscall/src/terminal/stages.ts";
import { judge } from "./gas/bars.ts";
import { compile } from "./gas/compile.ts";
import { type Cost, measureWay } from "./gas/measure.ts";
import { toText } from "./gas/report.ts";
import { AMOUNT, setUpStage } from "./gas/stage.ts";
import { waysOf } from "./gas/ways.ts";
import { type Measured, runBenchmark } from "./runBenchmark.ts";

process.exitCode = await runBenchmark({
  name: "bench:gas",
  description: "Measure the gas of one fill with a fixed amount, with the kit's contracts and with alternatives.",
  failure: "Exits with 1 if a limit is missed, or if an approach does not complete the fill.",
  measure,
});

async function measure(stages: Stages, signal: AbortSignal): Promise<Measured> {
  const ways = await measureWays(stages, signal);
  const bars = judge(ways);
  const ok = bars.every(({ isMet }) => isMet);
  return { ok, json: { ok, amount: String(AMOUNT), ways, bars }, text: toText(ways, bars) };
}

async function measureWays(stages: Stages, signal: AbortSignal): Promise<readonly Cost[]> {
  await stages.run("Compile the peers", () => compile(signal));
  const stage = await stages.run("Deploy them", () => setUpStage());
  return stages.run("Measure", async ({ update }) => {
    const costs: Cost[] = [];
    for (const way of waysOf(stage)) {
      signal.throwIfAborted();
      update(way.name);
      costs.push(await measureWay(stage, way));
    }
    return costs;
  });
}
