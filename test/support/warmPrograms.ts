import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { until } from "./until.ts";
import type { WarmJob, WarmReport, WarmResult } from "./warmRunner.ts";

let runner: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Runs a command or a module in a process that the whole test run shares, after all earlier requests. */
export function runWarm(job: WarmJob): Promise<WarmResult> {
  const result = last.then(() => execute(job));
  last = result.catch(() => undefined);
  return result;
}

/** Stops the shared process. */
export async function stopWarmRunner(): Promise<void> {
  const child = runner;
  runner = undefined;
  if (child === undefined || hasEnded(child)) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

async function execute(job: WarmJob): Promise<WarmResult> {
  runner ??= startRunner();
  const child = runner;
  const name = typeof job.program === "string" ? job.program : `crosscall ${job.program.join(" ")}`;
  const reports: WarmReport[] = [];
  const keep = (report: WarmReport): unknown => reports.push(report);
  child.on("message", keep);
  const nextReport = (what: string) =>
    until(
      () => {
        if (hasEnded(child)) throw new Error(`the process ended during ${name}`);
        return reports.shift();
      },
      { what },
    );
  try {
    child.send(job);
    const { result, left } = await nextReport(name);
    // A separate process would not exit before.
    if (left.length > 0) await nextReport(`the end of what ${name} left running: ${left.join(", ")}`);
    return result;
  } catch (error) {
    await stopWarmRunner();
    throw error;
  } finally {
    child.off("message", keep);
  }
}

function startRunner(): ChildProcess {
  return fork(fileURLToPath(new URL("./warmRunner.ts", import.meta.url)), {
    // Read when the modules load; some machines enable colors even without a terminal.
    env: { ...process.env, NO_COLOR: "1" },
  });
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
