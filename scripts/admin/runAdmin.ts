import { interruptOnCtrlC } from "../terminal/interrupt.ts";

/** Runs one call of a running network under a signal that Ctrl-C fires, and prints what came of it. */
export async function runAdmin(work: (signal: AbortSignal) => Promise<string>): Promise<void> {
  const interrupt = interruptOnCtrlC();
  try {
    process.stdout.write(await work(interrupt.signal));
  } finally {
    interrupt.release();
  }
}
