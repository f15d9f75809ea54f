import { AbortedError } from "@crosscall/sdk/internal/core/errors";

export interface Interrupt {
  readonly signal: AbortSignal;
  readonly fired: Promise<void>;
  release(): void;
}

/** Turns Ctrl-C and SIGTERM into an abort, so that a command can clean up; a second Ctrl-C exits at once. */
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
    release() {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    },
  };
}
