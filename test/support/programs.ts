import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A program that has ended. */
export interface FinishedProgram {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that runs, in a process of its own. */
export interface RunningProgram {
  readonly child: ChildProcess;
  readonly finished: Promise<FinishedProgram>;
  /** What it printed so far. */
  stdout(): string;
  /** Resolves when its output so far contains a text. */
  until(text: string): Promise<void>;
}

/** What a program is started with. */
export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Its standard input; none when left out. */
  readonly input?: string;
  /** Whether more input may follow. */
  readonly isInputOpen?: boolean;
  /** The folder that it runs in; the checkout when left out. */
  readonly cwd?: string;
}

/** Starts `crosscall`. */
export function startCrosscall(args: readonly string[], options?: ProgramOptions): RunningProgram {
  return startProgram("scripts/crosscall.ts", args, options);
}

/** Runs `crosscall` to its end. */
export function runCrosscall(args: readonly string[], env?: ProgramOptions["env"]): Promise<FinishedProgram> {
  return startCrosscall(args, env === undefined ? {} : { env }).finished;
}

/** Starts a program of the checkout without a terminal, and with no setting of the kit from outside but the given. */
export function startProgram(
  file: string,
  args: readonly string[],
  { env = {}, input = "", isInputOpen = false, cwd = ROOT }: ProgramOptions = {},
): RunningProgram {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("CROSSCALL_"));
  const child = spawn(process.execPath, [resolve(ROOT, file), ...args], {
    cwd,
    // Some machines ask for colours even where no terminal is.
    env: { ...Object.fromEntries(inherited), NO_COLOR: "1", ...env },
  });
  // A program may end without reading what it is given.
  child.stdin.on("error", () => undefined);
  child.stdin.write(input);
  if (!isInputOpen) child.stdin.end();
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const finished = once(child, "close").then(([exitCode]) => ({ exitCode: exitCode as number | null, stdout, stderr }));
  return {
    child,
    finished,
    stdout: () => stdout,
    async until(text) {
      const isThere = () => stdout.includes(text) || stderr.includes(text);
      while (!isThere() && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 10));
      if (!isThere()) throw new Error(`the program ended without "${text}":\n${stdout}\n${stderr}`);
    },
  };
}
