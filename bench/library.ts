// What the library costs an application: time per operation and size of what it downloads, beside the service's
// published SDK. `npm run bench:library`, with `-- --help` for options.
import { Command, CommanderError } from "commander";

import { interruptOnCtrlC } from "../scripts/terminal/interrupt.ts";
import { reportError } from "../scripts/terminal/reportError.ts";
import { Stages } from "../scripts/terminal/stages.ts";
import { judge } from "./library/bars.ts";
import { measureBundles } from "./library/bundles.ts";
import { libraryOperations, timeOperations } from "./library/operations.ts";
import { type Report, toText } from "./library/report.ts";
import { setUpRoundTrip } from "./library/roundTrip.ts";

process.exitCode = await main();

/** Exit codes as those of `crosscall`. */
async function main(): Promise<number> {
  const command = new Command("bench:library")
    .description("Measure the library's operations and bundles beside the service's published SDK.")
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nEnds with 1 when a bar is missed.")
    .exitOverride();
  try {
    command.parse();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
  const json = command.opts<{ json?: boolean }>().json === true;
  const interrupt = interruptOnCtrlC();
  try {
    const report = await measure(new Stages({ isSilent: json, signal: interrupt.signal }), interrupt.signal);
    process.stdout.write(`${json ? JSON.stringify(report, null, 2) : toText(report)}\n`);
    return report.bars.every(({ isMet }) => isMet) ? 0 : 1;
  } catch (error) {
    return reportError(error, { json }) ? 130 : 1;
  } finally {
    interrupt.release();
  }
}

async function measure(stages: Stages, signal: AbortSignal): Promise<Report> {
  const bundles = await stages.run("Bundle the entry points", () => measureBundles(signal));
  const timings = await stages.run("Time the operations", () => timeOperations(libraryOperations(), signal));
  const roundTrips = await stages.run("Time quotes over loopback", async () => {
    await using roundTrip = await setUpRoundTrip();
    return await timeOperations(roundTrip.operations, signal);
  });
  return { bundles, timings, roundTrips, bars: judge(bundles) };
}
