// Compares the verdicts of preflights with the outcomes on the local network: `npm run bench:preflight`, with `--
// --help` for options.
import { localnet } from "../packages/crosscall/src/localnet/index.ts";
import { confusionMatrix } from "./preflight/confusionMatrix.ts";
import { countRows, isExpected, toText } from "./preflight/report.ts";
import { runBenchmark } from "./runBenchmark.ts";

process.exitCode = await runBenchmark({
  name: "bench:preflight",
  description: "Compare the verdicts of preflights with the outcomes on the local network, for all scenarios.",
  failure: "Exits with 1 if a preflight misses an existing cause of a failure, or has an unknown false alarm.",
  async measure(stages) {
    await using network = await stages.run("Start the network", () => localnet());
    const rows = await stages.run("Run each request", () => confusionMatrix(network));
    const ok = isExpected(rows);
    return { ok, json: { ok, counts: countRows(rows), rows }, text: toText(rows) };
  },
});
