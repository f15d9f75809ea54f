// Whether the verdict of a preflight agrees with what the local network then does: `npm run bench:preflight`, with
// `-- --help` for options.
import { localnet } from "../packages/crosscall/src/localnet/index.ts";
import { confusionMatrix } from "./preflight/confusionMatrix.ts";
import { countRows, isExpected, toText } from "./preflight/report.ts";
import { runBenchmark } from "./runBenchmark.ts";

process.exitCode = await runBenchmark({
  name: "bench:preflight",
  description: "Compare the verdict of a preflight with the outcome on the local network, for all scenarios.",
  failure: "Exits with 1 if a failure passes whose cause existed, or a request fails for a reason that is not listed.",
  async measure(stages) {
    await using network = await stages.run("Start the network", () => localnet());
    const rows = await stages.run("Run each request", () => confusionMatrix(network));
    const ok = isExpected(rows);
    return { ok, json: { ok, counts: countRows(rows), rows }, text: toText(rows) };
  },
});
