import type { Ora } from "ora";
import colors from "picocolors";

import { throwIfAborted } from "@crosscall/sdk/internal/core/abort";
import { StageFailedError } from "@crosscall/sdk/internal/core/errors";

/** What a stage may tell while it runs. */
export interface StageProgress {
  /** Shows what happens now. */
  readonly update: (text: string) => void;
  /** Adds a line to what the stage leaves behind. */
  readonly note: (text: string) => void;
}

/** How long a stage took. */
export interface StageTime {
  readonly stage: string;
  readonly durationMs: number;
}

/** Runs stages one after another, shows them on standard error, and keeps their times. */
export class Stages {
  readonly times: StageTime[] = [];
  readonly #isSilent: boolean;
  readonly #signal: AbortSignal;

  constructor(options: { isSilent: boolean; signal: AbortSignal }) {
    this.#isSilent = options.isSilent;
    this.#signal = options.signal;
  }

  /**
   * Runs one stage.
   *
   * @param stage its name, as the user reads it
   * @throws {@link StageFailedError} when it fails, with the failure as cause
   */
  async run<Result>(stage: string, work: (progress: StageProgress) => Promise<Result>): Promise<Result> {
    // Commands that run no stage start without it.
    const { default: ora } = await import("ora");
    const spinner = ora({ text: stage, stream: process.stderr, isSilent: this.#isSilent, discardStdin: false }).start();
    const notes: string[] = [];
    const started = performance.now();
    try {
      throwIfAborted(this.#signal, stage);
      const result = await work({
        update: (text) => show(spinner, `${stage}: ${text}`),
        note: (text) => notes.push(text),
      });
      const durationMs = Math.round(performance.now() - started);
      this.times.push({ stage, durationMs });
      spinner.succeed([`${stage} ${colors.dim(formatDuration(durationMs))}`, ...notes.map(indent)].join("\n"));
      return result;
    } catch (cause) {
      spinner.fail(stage);
      throw new StageFailedError({ stage, cause });
    }
  }
}

/** A duration for people: milliseconds below a second, else seconds. */
export function formatDuration(durationMs: number): string {
  return durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`;
}

function show(spinner: Ora, text: string): void {
  spinner.text = text;
}

function indent(note: string): string {
  return `    ${note}`;
}
