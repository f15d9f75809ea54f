import ora from "ora";

import { toTerminal } from "./output.ts";

/** A wait on standard error. */
export interface Spinner {
  start(text: string): void;
  update(text: string): void;
  /** Ends it with a line that stays. */
  persist(symbol: string, text: string): void;
  clear(): void;
  stop(): void;
}

/** Escapes all texts like other output. */
export function createSpinner(isSilent = false): Spinner {
  const spinner = ora({ isSilent, discardStdin: false });
  return {
    start: (text) => void spinner.start(toTerminal(text)),
    update: (text) => void (spinner.text = toTerminal(text)),
    persist: (symbol, text) => void spinner.stopAndPersist({ symbol: toTerminal(symbol), text: toTerminal(text) }),
    clear: () => void spinner.clear(),
    stop: () => void spinner.stop(),
  };
}
