import createYoctoSpinner from "yocto-spinner";

import { isTerminal, toTerminal, writeNotice } from "./output.ts";

/** A spinner on standard error. */
export interface Spinner {
  start(text: string): void;
  update(text: string): void;
  /** Stops the spinner and prints a line that stays. */
  persist(symbol: string, text: string): void;
  clear(): void;
  stop(): void;
}

/** Creates a spinner. Escapes all texts like other output. Without a terminal, prints only lines that stay. */
export function createSpinner(isSilent = false): Spinner {
  if (isSilent || !isTerminal()) return createLines(isSilent);
  // The command itself handles Ctrl-C.
  const spinner = createYoctoSpinner({ handleSignals: false });
  return {
    start: (text) => void spinner.start(toTerminal(text)),
    update: (text) => void (spinner.text = toTerminal(text)),
    persist: (symbol, text) => void spinner.stop(toTerminal(`${symbol} ${text}`)),
    clear: () => void spinner.clear(),
    stop: () => void spinner.stop(),
  };
}

function createLines(isSilent: boolean): Spinner {
  const write = (symbol: string, text: string): void => {
    if (!isSilent) writeNotice(`${symbol} ${text}\n`);
  };
  return {
    start: (text) => write("-", text),
    update: () => undefined,
    persist: write,
    clear: () => undefined,
    stop: () => undefined,
  };
}
