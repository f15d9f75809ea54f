// Replayed fills per second, compared with plain nodes on forks of the same chain: `npm run bench:replay`, with
// `-- --help` for options.
import type { Stages } from "../packages/crosscall/src/terminal/stages.ts";
import { throwIfAborted } from "../packages/protocol/src/core/abort.ts";
import { stopPrograms } from "../test/integration/support/processes.ts";
import { CONTENDERS, OURS } from "./replay/contenders.ts";
import { type Job, startJob } from "./replay/job.ts";
import { type Rate, measureContender } from "./replay/measure.ts";
import { measurePreflights } from "./replay/preflights.ts";
import { judge, toText } from "./replay/report.ts";
import { type Measured, runBenchmark } from "./runBenchmark.ts";

const AMOUNTS = 200;
const SLOW_MS = 40;
/** Each round is a cold start. The best round counts, because other work on the machine can only slow a round down. */
const ROUNDS = 5;
/** Number of amounts that are also filled by real transactions on the chain itself. */
const REAL_FILLS = 20;

process.exitCode = await runBenchmark({
  name: "bench:replay",
  description: "Measure the replayed fills per second, compared with plain nodes on forks of the same chain.",
  failure: "Exits with 1 if a limit is missed.",
  measure,
});

async function measure(stages: Stages, signal: AbortSignal): Promise<Measured> {
  try {
    const job = await stages.run("Start the chain that is forked", () => startJob(AMOUNTS));
    const rates: Rate[] = [];
    for (const delayMs of [0, SLOW_MS]) {
      const rounds: Rate[] = [];
      for (let round = 1; round <= ROUNDS; round += 1) {
        rounds.push(...(await stages.run(`Round ${round} at ${delayMs} ms`, () => runRound(job, delayMs, signal))));
      }
      rates.push(...CONTENDERS.map(({ name }) => bestOf(rounds.filter((rate) => rate.name === name))));
    }
    const identical = await stages.run("Fill by real transactions", () => compareReal(job, rates, signal));
    const preflights = await stages.run("Preflight of the demo's quote", () =>
      measurePreflights([0, SLOW_MS], ROUNDS, signal),
    );
    const shown = rates.map(({ filled: _filled, ...rate }) => rate);
    const bars = judge({ rates: shown, identical, preflights }, SLOW_MS);
    const ok = bars.every(({ isMet }) => isMet);
    const report = { rates: shown, identical, preflights, bars };
    return { ok, json: { ok, ...report }, text: toText(report) };
  } finally {
    await stopPrograms();
  }
}

/** Runs all contenders one after another in each round, so that other work on the machine affects all of them. */
async function runRound(job: Job, delayMs: number, signal: AbortSignal): Promise<readonly Rate[]> {
  const rates: Rate[] = [];
  for (const contender of CONTENDERS) {
    throwIfAborted(signal, "the benchmark");
    rates.push(await measureContender(contender, job, delayMs));
  }
  return rates;
}

/** Returns the best result of each kind. */
function bestOf(rates: readonly Rate[]): Rate {
  const [first] = rates;
  if (first === undefined) throw new Error("nothing was measured");
  return {
    ...first,
    firstMs: Math.min(...rates.map(({ firstMs }) => firstMs)),
    perSecond: Math.max(...rates.map(({ perSecond }) => perSecond)),
    coldPerSecond: Math.max(...rates.map(({ coldPerSecond }) => coldPerSecond)),
  };
}

async function compareReal(
  { chain, plan, output, amounts }: Job,
  rates: readonly Rate[],
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly of: number }> {
  const ours = rates.filter(({ name }) => name === OURS);
  let [count, of] = [0, 0];
  for (let index = 0; index < REAL_FILLS; index += 1) {
    throwIfAborted(signal, "the benchmark");
    const amount = amounts[Math.floor((index * (amounts.length - 1)) / (REAL_FILLS - 1))] ?? 0n;
    const real = await chain.fill(plan, amount, [output]);
    for (const { filled } of ours) {
      const found = filled.find((each) => each.amount === amount);
      of += 1;
      if (found?.gasUsed === real.gasUsed && found.received === real.received[0]) count += 1;
    }
  }
  return { count, of };
}
