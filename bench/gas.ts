// What one fill costs when it is done in several ways, side by side. `npm run bench:gas`, with `-- --help` for options.
import { Command, CommanderError } from "commander";

import { interruptOnCtrlC } from "../scripts/terminal/interrupt.ts";
import { reportError } from "../scripts/terminal/reportError.ts";
import { Stages } from "../scripts/terminal/stages.ts";
import { judge } from "./gas/bars.ts";
import { compile } from "./gas/compile.ts";
import { type Cost, measureWay } from "./gas/measure.ts";
import { toText } from "./gas/report.ts";
import { AMOUNT, setUpStage } from "./gas/stage.ts";
import { waysOf } from "./gas/ways.ts";

process.exitCode = await main();

/** Exit codes as those of `crosscall`. */
async function main(): Promise<number> {
  const command = new Command("bench:gas")
    .description("Measure the gas of one fill, done by fixed amount, by the kit's contracts and by their peers.")
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nEnds with 1 when a bar is missed, or when a way does not do the job.")
    .exitOverride();
  try {
    command.parse();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
  const json = command.opts<{ json?: boolean }>().json === true;
  try {
    return await run(json);
  } catch (error) {
    return reportError(error, { json }) ? 130 : 1;
  }
}

async function run(json: boolean): Promise<number> {
  const interrupt = interruptOnCtrlC();
  try {
    const costs = await measureAll(new Stages({ isSilent: json, signal: interrupt.signal }), interrupt.signal);
    const bars = judge(costs);
    const ok = bars.every(({ isMet }) => isMet);
    const answer = json
      ? JSON.stringify({ ok, amount: String(AMOUNT), ways: costs, bars }, null, 2)
      : toText(costs, bars);
    process.stdout.write(`${answer}\n`);
    return ok ? 0 : 1;
  } finally {
    interrupt.release();
  }
}

async function measureAll(stages: Stages, signal: AbortSignal): Promise<readonly Cost[]> {
  await stages.run("Compile the contracts", () => compile(signal));
  const stage = await stages.run("Deploy them", setUpStage);
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
