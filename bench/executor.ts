// Compares the executor with executors that deny routers: gas of a fill and code size. `npm run bench:executor`, with
// `-- --json` for JSON output.
import type { Stages } from "../packages/crosscall/src/terminal/stages.ts";
import { compile } from "./gas/compile.ts";
import { measureWay } from "./gas/measure.ts";
import { EXECUTORS, type ExecutorName, ROUTERS, type RouterName, setUpStage } from "./gas/stage.ts";
import { waysOf } from "./gas/ways.ts";
import { type Measured, runBenchmark } from "./runBenchmark.ts";
import { toTable } from "./table.ts";

/** Measurements of an executor. Gas is that of whole fills in steady use. */
interface Line {
  readonly executor: ExecutorName;
  readonly router: RouterName;
  readonly pushed: number;
  readonly pulled: number;
  /** Bytes of code. */
  readonly size: number;
}

process.exitCode = await runBenchmark({
  name: "bench:executor",
  description: "Compare the push executor with executors that also deny one or two routers.",
  failure: "Exits with 1 if a fill through an executor fails.",
  measure,
});

async function measure(stages: Stages, signal: AbortSignal): Promise<Measured> {
  await stages.run("Compile the peers", () => compile(signal));
  const lines = await stages.run("Measure", async ({ update }) => {
    const found: Line[] = [];
    for (const executor of EXECUTORS) {
      for (const router of ROUTERS) {
        signal.throwIfAborted();
        update(`${executor} and ${router}`);
        found.push(await measureLine(executor, router));
      }
    }
    return found;
  });
  return { ok: true, json: { lines }, text: describe(lines) };
}

async function measureLine(executor: ExecutorName, router: RouterName): Promise<Line> {
  const stage = await setUpStage({ executor, router });
  const steadyOf = async (wanted: "programWithUnit" | "pulled"): Promise<number> => {
    const way = waysOf(stage).find(({ id }) => id === wanted);
    if (way === undefined) throw new Error(`there is no approach ${wanted}`);
    return (await measureWay(stage, way)).hundredth;
  };
  return {
    executor,
    router,
    pushed: await steadyOf("programWithUnit"),
    pulled: await steadyOf("pulled"),
    size: await stage.codeSizeOf(stage.contracts.executor),
  };
}

function describe(lines: readonly Line[]): string {
  return toTable([
    ["executor", "router", "pushed", "pulled", "bytes"],
    ...lines.map(({ executor, router, ...figures }) => [
      executor,
      router,
      ...[figures.pushed, figures.pulled, figures.size].map((figure) => figure.toLocaleString("en-US")),
    ]),
  ]);
}
