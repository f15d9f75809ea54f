import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { until } from "./until.ts";
import type { WarmJob, WarmReport, WarmResult } from "./warmRunner.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Result of a program that has exited. */
export interface FinishedProgram {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningProgram {
  readonly child: ChildProcess;
  readonly finished: Promise<FinishedProgram>;
  /** Output so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves when the output contains a text. */
  until(text: string): Promise<void>;
  /** Returns the first line of standard output when it is complete. */
  firstLine(): Promise<string>;
}

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input. Defaults to none. */
  readonly input?: string;
  /** Whether more input can follow later. */
  readonly isInputOpen?: boolean;
  /** Working directory. Defaults to the checkout. */
  readonly cwd?: string;
  /** Node options. */
  readonly nodeOptions?: readonly string[];
}

/** Starts `crosscall` in its own process, for tests of the process itself. Other tests use {@link runCrosscall}. */
export function startCrosscall(args: readonly string[], options?: ProgramOptions): RunningProgram {
  return startProgram("packages/crosscall/src/main.ts", args, options);
}

/** Runs a `crosscall` command until it ends, in a process shared by all such commands in a test run. */
export function runCrosscall(
  args: readonly string[],
  { env = {}, input = "", cwd = ROOT }: Pick<ProgramOptions, "env" | "input" | "cwd"> = {},
): Promise<FinishedProgram> {
  return runWarm({ program: args, env: environmentWith(env), cwd, input });
}

/** Runs a module from the checkout until it ends, in the same process as {@link runCrosscall}. */
export function runModule(url: URL): Promise<FinishedProgram> {
  return runWarm({ program: url.href, env: environmentWith({}), cwd: ROOT, input: "" });
}

const running = new Set<RunningProgram>();

/**
 * Starts a program from the checkout without a terminal. Of the kit's environment variables, it receives only the
 * given ones.
 */
export function startProgram(
  file: string,
  args: readonly string[],
  { env = {}, input = "", isInputOpen = false, cwd = ROOT, nodeOptions = [] }: ProgramOptions = {},
): RunningProgram {
  // Optimizing WebAssembly takes longer than these programs run.
  const command = ["--liftoff-only", ...nodeOptions, resolve(ROOT, file), ...args];
  const child = spawn(process.execPath, command, { cwd, env: environmentWith(env) });
  // A program can exit without reading its input.
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
          throw new Error(`the program exited before ${what}:\n${stdout}\n${stderr}`);
        }
        return found;
      },
      { what },
    );
  const program: RunningProgram = {
    child,
    finished,
    stdout: () => stdout,
    stderr: () => stderr,
    async until(text) {
      await waitFor(`"${text}"`, () => stdout.includes(text) || stderr.includes(text));
    },
    firstLine: () => waitFor("a line of output", () => /^.*(?=\n)/u.exec(stdout)?.[0]),
  };
  running.add(program);
  return program;
}

/** Stops every running program, even after a failed test. */
async function stopPrograms(): Promise<void> {
  await Promise.all(
    [...running].map(({ child, finished }) => {
      child.kill("SIGKILL");
      return finished;
    }),
  );
}

// Root hooks, shared by all files that import this file.
afterEach(stopPrograms);
after(stopWarmRunner);

function environmentWith(env: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith("CROSSCALL_"),
  );
  // Some machines enable colors even without a terminal.
  return { ...Object.fromEntries(inherited), NO_COLOR: "1", ...env };
}

let runner: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Runs a command or a module after all earlier jobs, in a process that the entire test run shares. */
function runWarm(job: WarmJob): Promise<WarmResult> {
  const result = last.then(() => execute(job));
  last = result.catch(() => undefined);
  return result;
}

/** Stops the shared process. */
async function stopWarmRunner(): Promise<void> {
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
    // A separate process would wait for this work before it exits.
    if (left.length > 0) await nextReport(`the remaining work of ${name}: ${left.join(", ")}`);
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
    // The modules read this variable when they load. Some machines enable colors even without a terminal.
    env: { ...process.env, NO_COLOR: "1" },
  });
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
