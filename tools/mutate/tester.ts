import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import type { TestRequest, TestResponse } from "./testProcess.ts";

/** Time after which a mutant counts as hanging. Tests of the unchanged code take about a second. */
const HANG_MS = 20_000;

/** Runner of tests in a process that is restarted after each hang. */
export class Tester {
  #child: ChildProcess | undefined;

  /** Returns the failed tests, or `hangs`. */
  async run(request: TestRequest): Promise<readonly string[] | "hangs"> {
    const child = (this.#child ??= await start());
    child.send(request);
    const timeout = AbortSignal.timeout(HANG_MS);
    try {
      // Also handles an exit, after which no message arrives.
      const [response] = (await once(child, "message", { signal: timeout })) as [TestResponse];
      return response.failed;
    } catch (error) {
      if (!timeout.aborted) throw error;
    }
    this.stop();
    return "hangs";
  }

  stop(): void {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }
}

async function start(): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL("testProcess.ts", import.meta.url)), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(child, "message");
  return child;
}
