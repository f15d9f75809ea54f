import { isTerminal, writeNotice } from "./output.ts";
import { createSpinner } from "./spinner.ts";

const WIDTH = 24;

/** Formats `[######------] 25 of 50`. */
export function progressBar(done: number, total: number): string {
  const filled = total === 0 ? WIDTH : Math.min(Math.floor((done / total) * WIDTH), WIDTH);
  return `[${"#".repeat(filled)}${"-".repeat(WIDTH - filled)}] ${done} of ${total}`;
}

/** Lines for events on standard error, above the current spinner. */
export interface ProgressLines {
  /** Text of the spinner; shown only on a terminal. */
  wait(text: string): void;
  line(text: string): void;
  stop(): void;
}

export function createProgressLines({ isSilent }: { isSilent: boolean }): ProgressLines {
  const spinner = !isSilent && isTerminal() ? createSpinner() : undefined;
  return {
    wait(text) {
      spinner?.start(text);
    },
    line(text) {
      if (isSilent) return;
      spinner?.clear();
      writeNotice(`${text}\n`);
    },
    stop() {
      spinner?.stop();
    },
  };
}
