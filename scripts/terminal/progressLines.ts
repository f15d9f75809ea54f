import ora, { type Ora } from "ora";

/** Lines on standard error, each of something that happened, above what is waited for. */
export interface ProgressLines {
  /** Says what is waited for now; on a terminal only. */
  wait(text: string): void;
  line(text: string): void;
  stop(): void;
}

/** Lines that are shown at once, whether a terminal is there or not; none at all where they are silent. */
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
