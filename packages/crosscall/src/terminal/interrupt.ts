import { AbortedError } from "@crosscall/protocol/core";

export interface Interrupt extends Disposable {
  readonly signal: AbortSignal;
  readonly fired: Promise<void>;
}

/**
 * Converts Ctrl-C and SIGTERM to an abort until disposed, so that a command can clean up. A second Ctrl-C exits at
 * once.
 */
export function interruptOnCtrlC(): Interrupt {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(new AbortedError({ what: "the command" }));
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return {
    signal: controller.signal,
    fired: new Promise((resolve) => {
      controller.signal.addEventListener("abort", () => resolve(), { once: true });
    }),
    [Symbol.dispose]() {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    },
  };
}
