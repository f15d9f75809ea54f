import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** A finished command. */
export interface FinishedCommand {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command under way. */
export interface RunningCommand {
  readonly child: ChildProcess;
  readonly finished: Promise<FinishedCommand>;
  /** Resolves when its output so far contains a text. */
  until(text: string): Promise<void>;
}

/** Starts the command line with variables of its own, and no terminal. */
export function startCommand(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): RunningCommand {
  const child = spawn(process.execPath, ["scripts/crosscall.ts", ...args], {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: "1", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const finished = once(child, "close").then(([exitCode]) => ({ exitCode: exitCode as number | null, stdout, stderr }));
  return {
    child,
    finished,
    async until(text) {
      const isThere = () => stdout.includes(text) || stderr.includes(text);
      while (!isThere() && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 10));
      if (!isThere()) throw new Error(`the command ended without "${text}":\n${stdout}\n${stderr}`);
    },
  };
}
