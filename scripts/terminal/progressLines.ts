import ora, { type Ora } from "ora";

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
