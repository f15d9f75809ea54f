// Compares the explanations of failed fills with their planted causes: `npm run bench:explanations`, with `-- --help`
// for options.
import { openFillFork } from "../test/integration/replay/support/fillFork.ts";
import { measureExplanations } from "./explanations/measure.ts";
import { isExpected, toText } from "./explanations/report.ts";
import { runBenchmark } from "./runBenchmark.ts";

process.exitCode = await runBenchmark({
  name: "bench:explanations",
  description: "Compare the explanations of failed fills with their planted causes.",
  failure: "Exits with 1 if less than 95% of the causes are named, or another cause is stated with certainty.",
  async measure(stages) {
    const world = await stages.run("Start the network", openFillFork);
    try {
      const rows = await stages.run("Explain each failure", () => measureExplanations(world));
      const ok = isExpected(rows);
      return { ok, json: { ok, rows }, text: toText(rows) };
    } finally {
      await world.close();
    }
  },
});
