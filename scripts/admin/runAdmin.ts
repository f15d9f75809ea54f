import { interruptOnCtrlC } from "../terminal/interrupt.ts";

export async function runAdmin(work: (signal: AbortSignal) => Promise<string>): Promise<void> {
  const interrupt = interruptOnCtrlC();
  try {
    process.stdout.write(await work(interrupt.signal));
  } finally {
    interrupt.release();
  }
}
