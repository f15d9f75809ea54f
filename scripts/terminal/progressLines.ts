import ora, { type Ora } from "ora";

const WIDTH = 24;

/** `[######------] 25 of 50`. */
export function progressBar(done: number, total: number): string {
  const filled = total === 0 ? WIDTH : Math.min(Math.floor((done / total) * WIDTH), WIDTH);
  return `[${"#".repeat(filled)}${"-".repeat(WIDTH - filled)}] ${done} of ${total}`;
}

/** Lines on standard error for events, above the present wait. */
export interface ProgressLines {
  /** On a terminal only. */
  wait(text: string): void;
  line(text: string): void;
  stop(): void;
}

export function createProgressLines({ isSilent }: { isSilent: boolean }): ProgressLines {
  const isMoving = !isSilent && process.stderr.isTTY;
  const spinner: Ora | undefined = isMoving ? ora({ stream: process.stderr, discardStdin: false }) : undefined;
  return {
    wait(text) {
      spinner?.start(text);
    },
    line(text) {
      if (isSilent) return;
      spinner?.clear();
      process.stderr.write(`${text}\n`);
    },
    stop() {
      spinner?.stop();
    },
  };
}
