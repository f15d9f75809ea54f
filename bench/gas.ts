// Compares the gas of one fill by several approaches: `npm run bench:gas`, with `-- --help` for options.
import type { Stages } from "../packages/crosscall/src/terminal/stages.ts";
import { judge, type RouterCosts } from "./gas/bars.ts";
import { compile } from "./gas/compile.ts";
import { type Cost, measureWay } from "./gas/measure.ts";
import { toText } from "./gas/report.ts";
import { AMOUNT, ROUTERS, setUpStage, type Stage } from "./gas/stage.ts";
import { waysOf } from "./gas/ways.ts";
import { type Measured, runBenchmark } from "./runBenchmark.ts";

process.exitCode = await runBenchmark({
  name: "bench:gas",
  description: "Measure the gas of one fill as the planner emits it, with a fixed amount, and with alternatives.",
  failure: "Exits with 1 if a limit is missed, or if an approach does not complete the fill.",
  measure,
});

async function measure(stages: Stages, signal: AbortSignal): Promise<Measured> {
  await stages.run("Compile the peers", () => compile(signal));
  const all: RouterCosts[] = [];
  for (const router of ROUTERS) {
    const stage = await stages.run(`Deploy them with ${router}`, () => setUpStage({ router }));
    all.push({ router, ways: await measureWays(stage, stages, signal) });
  }
  const bars = judge(all);
  const ok = bars.every(({ isMet }) => isMet);
  return { ok, json: { ok, amount: String(AMOUNT), routers: all, bars }, text: toText(all, bars) };
}

async function measureWays(stage: Stage, stages: Stages, signal: AbortSignal): Promise<readonly Cost[]> {
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
