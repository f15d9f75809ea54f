import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** Program that runs alongside the test. */
export interface RunningProgram {
  readonly child: ChildProcess;
  /** Stops the program with a signal, and waits until it has exited. */
  stop(signal: NodeJS.Signals): Promise<void>;
}

const started = new Set<RunningProgram>();

/** Stops every started program, including those that never became ready. */
export async function stopPrograms(): Promise<void> {
  await Promise.all([...started].map((program) => program.stop("SIGKILL")));
  started.clear();
}

/** Starts a program, and waits for the first line of output that shows that the program is ready. */
export async function startProgram<Ready>(
  command: string,
  args: readonly string[],
  readReady: (line: string) => Ready | undefined,
): Promise<RunningProgram & { readonly ready: Ready }> {
  // Uses a separate process group, because a signal must also reach the program's child processes.
  const child = spawn(command, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const errors: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, "close");
    process.kill(-child.pid, signal);
    await closed;
  };
  started.add({ child, stop });
  for await (const line of createInterface({ input: child.stdout })) {
    const ready = readReady(line);
    if (ready === undefined) continue;
    // Reads and discards later output, so that a full pipe never blocks the program.
    child.stdout.resume();
    return { child, stop, ready };
  }
  throw new Error(`${command} ${args.join(" ")} exited before it was ready:\n${errors.join("")}`);
}

/** Starts an EVM node in another process, on a free loopback port. `args` are passed to anvil. */
export function startAnvil(
  chainId: number,
  ...args: readonly string[]
): Promise<RunningProgram & { readonly ready: string }> {
  const binary = `${ROOT}node_modules/.bin/anvil`;
  return startProgram(binary, ["--port", "0", "--chain-id", String(chainId), ...args], (line) => {
    const address = /Listening on (\S+)/u.exec(line)?.[1];
    return address === undefined ? undefined : `http://${address}`;
  });
}
