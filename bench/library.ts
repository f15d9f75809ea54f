// Time per operation and download size of the library, compared with the service's published SDK: `npm run
// bench:library`, with `-- --help` for options.
import type { Stages } from "../packages/crosscall/src/terminal/stages.ts";
import { judge } from "./library/bars.ts";
import { measureBundles } from "./library/bundles.ts";
import { libraryOperations, timeOperations } from "./library/operations.ts";
import { toText } from "./library/report.ts";
import { setUpRoundTrip } from "./library/roundTrip.ts";
import { type Measured, runBenchmark } from "./runBenchmark.ts";

process.exitCode = await runBenchmark({
  name: "bench:library",
  description: "Measure the library's operations and bundles compared with the service's published SDK.",
  failure: "Exits with 1 if a limit is missed.",
  measure,
});

async function measure(stages: Stages, signal: AbortSignal): Promise<Measured> {
  const bundles = await stages.run("Bundle the entry points", () => measureBundles(signal));
  const timings = await stages.run("Time the operations", () => timeOperations(libraryOperations(), signal));
  const roundTrips = await stages.run("Time quotes over loopback", async () => {
    await using roundTrip = await setUpRoundTrip();
    return await timeOperations(roundTrip.operations, signal);
  });
  const bars = judge(bundles);
  const ok = bars.every(({ isMet }) => isMet);
  const report = { bundles, timings, roundTrips, bars };
  return { ok, json: { ok, ...report }, text: toText(report) };
}
