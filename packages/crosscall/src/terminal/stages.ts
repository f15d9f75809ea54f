import { StageFailedError, throwIfAborted } from "@crosscall/protocol/core";
import { errorColors } from "./output.ts";

export interface StageProgress {
  readonly update: (text: string) => void;
  /** Prints a line that stays after the stage. */
  readonly note: (text: string) => void;
}

export interface StageTime {
  readonly stage: string;
  readonly durationMs: number;
}

/** Runs stages in sequence, shows them on standard error, and records their times. */
export class Stages {
  readonly times: StageTime[] = [];
  readonly #isSilent: boolean;
  readonly #signal: AbortSignal;

  constructor(options: { isSilent: boolean; signal: AbortSignal }) {
    this.#isSilent = options.isSilent;
    this.#signal = options.signal;
  }

  /** @param stage name of the stage to display */
  async run<Result>(stage: string, work: (progress: StageProgress) => Promise<Result>): Promise<Result> {
    // Imported here, because only commands with stages need it.
    const { createSpinner } = await import("./spinner.ts");
    const spinner = createSpinner(this.#isSilent);
    spinner.start(stage);
    const notes: string[] = [];
    const started = performance.now();
    try {
      throwIfAborted(this.#signal, stage);
      const result = await work({
        update: (text) => spinner.update(`${stage}: ${text}`),
        note: (text) => notes.push(text),
      });
      const durationMs = Math.round(performance.now() - started);
      this.times.push({ stage, durationMs });
      const text = [`${stage} ${errorColors.dim(formatDuration(durationMs))}`, ...notes.map(indent)].join("\n");
      // Uses its own symbols, because the spinner's symbols have colors even in a file.
      spinner.persist(errorColors.green("✔"), text);
      return result;
    } catch (cause) {
      spinner.persist(errorColors.red("✖"), stage);
      throw new StageFailedError({ stage, cause });
    }
  }
}

/** Formats a duration in milliseconds below a second, and in seconds otherwise. */
export function formatDuration(durationMs: number): string {
  return durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`;
}

function indent(note: string): string {
  return `    ${note}`;
}
