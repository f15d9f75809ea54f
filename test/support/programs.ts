import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { until } from "./until.ts";
import { runWarm, stopWarmRunner } from "./warmPrograms.ts";

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
  /** The first line of its standard output, once it is complete. */
  firstLine(): Promise<string>;
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
  /** Options of Node. */
  readonly nodeOptions?: readonly string[];
}

/** Starts `crosscall` as users do, in a process of its own. Tests of the process need it; others {@link runCrosscall}. */
export function startCrosscall(args: readonly string[], options?: ProgramOptions): RunningProgram {
  return startProgram("scripts/crosscall.ts", args, options);
}

/** Runs a command of `crosscall` to its end, in the process that all such commands of a test run share. */
export function runCrosscall(
  args: readonly string[],
  { env = {}, input = "", cwd = ROOT }: Pick<ProgramOptions, "env" | "input" | "cwd"> = {},
): Promise<FinishedProgram> {
  return runWarm({ program: args, env: environmentWith(env), cwd, input });
}

/** Runs a module of the checkout to its end, in the process of {@link runCrosscall}. */
export function runModule(url: URL): Promise<FinishedProgram> {
  return runWarm({ program: url.href, env: environmentWith({}), cwd: ROOT, input: "" });
}

const running = new Set<RunningProgram>();

/** Starts a program of the checkout without a terminal, and with no setting of the kit from outside but the given. */
export function startProgram(
  file: string,
  args: readonly string[],
  { env = {}, input = "", isInputOpen = false, cwd = ROOT, nodeOptions = [] }: ProgramOptions = {},
): RunningProgram {
  // Optimizing WebAssembly takes longer than these programs run.
  const command = ["--liftoff-only", ...nodeOptions, resolve(ROOT, file), ...args];
  const child = spawn(process.execPath, command, { cwd, env: environmentWith(env) });
  // A program may end without reading what it is given.
  child.stdin.on("error", () => undefined);
  child.stdin.write(input);
  if (!isInputOpen) child.stdin.end();
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  let isClosed = false;
  const finished = once(child, "close").then(([exitCode]) => {
    isClosed = true;
    running.delete(program);
    return { exitCode: exitCode as number | null, stdout, stderr };
  });
  const waitFor = <Value>(what: string, find: () => Value | undefined | false): Promise<Value> =>
    until(
      () => {
        const found = find();
        if (isClosed && (found === undefined || found === false)) {
          throw new Error(`the program ended without ${what}:\n${stdout}\n${stderr}`);
        }
        return found;
      },
      { what },
    );
  const program: RunningProgram = {
    child,
    finished,
    stdout: () => stdout,
    async until(text) {
      await waitFor(`"${text}"`, () => stdout.includes(text) || stderr.includes(text));
    },
    firstLine: () => waitFor("a line of output", () => /^.*(?=\n)/u.exec(stdout)?.[0]),
  };
  running.add(program);
  return program;
}

/** Ends every program that was started and still runs, so that a test that failed leaves none. */
async function stopPrograms(): Promise<void> {
  await Promise.all(
    [...running].map(({ child, finished }) => {
      child.kill("SIGKILL");
      return finished;
    }),
  );
}

// Hooks of the root: every file that imports this one shares them.
afterEach(stopPrograms);
after(stopWarmRunner);

function environmentWith(env: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith("CROSSCALL_"),
  );
  // Some machines ask for colors even where no terminal is.
  return { ...Object.fromEntries(inherited), NO_COLOR: "1", ...env };
}
