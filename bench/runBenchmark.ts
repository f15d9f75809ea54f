import { Command, CommanderError, type Option } from "commander";

import { interruptOnCtrlC } from "../packages/crosscall/src/terminal/interrupt.ts";
import { reportError } from "../packages/crosscall/src/terminal/reportError.ts";
import { Stages } from "../packages/crosscall/src/terminal/stages.ts";

/** A benchmark command. */
export interface Benchmark {
  /** Name of the npm script, for example `bench:gas`. */
  readonly name: string;
  readonly description: string;
  /** Sentence for the help that states when it exits with 1. */
  readonly failure: string;
  /** Options besides `--json`. */
  readonly options?: readonly Option[];
  readonly measure: (stages: Stages, signal: AbortSignal, options: Record<string, unknown>) => Promise<Measured>;
}

/** Result of a benchmark. */
export interface Measured {
  /** Whether every limit is met. */
  readonly ok: boolean;
  /** Output with `--json`. */
  readonly json: object;
  /** Output without `--json`. */
  readonly text: string;
}

/** Runs a benchmark and returns its exit code. The exit codes are the same as those of `crosscall`. */
export async function runBenchmark({ name, description, failure, options = [], measure }: Benchmark): Promise<number> {
  const command = new Command(name)
    .description(description)
    .option("--json", "print one JSON object")
    .addHelpText("after", `\n${failure}`)
    .exitOverride();
  for (const option of options) command.addOption(option);
  try {
    command.parse();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
  const isJson = command.opts<{ json?: boolean }>().json === true;
  using interrupt = interruptOnCtrlC();
  try {
    const stages = new Stages({ isSilent: isJson, signal: interrupt.signal });
    const { ok, json, text } = await measure(stages, interrupt.signal, command.opts());
    process.stdout.write(`${isJson ? JSON.stringify(json, null, 2) : text}\n`);
    return ok ? 0 : 1;
  } catch (error) {
    return reportError(error, { json: isJson }) ? 130 : 1;
  }
}
