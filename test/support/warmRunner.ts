// Runs `crosscall` commands and modules one at a time in this process, in the order in which `warmPrograms.ts` sends
// them.
import { Console } from "node:console";
import { Readable, Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";

import { runProgram } from "../../packages/crosscall/src/program.ts";

/** A command or a module to run, with its process environment. */
export interface WarmJob {
  /** Arguments of `crosscall`, or the URL of a module. */
  readonly program: readonly string[] | string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly input: string;
}

/** Result and output of a job. */
export interface WarmResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Sent when a job has returned, and again when all of its remaining work has ended. */
export interface WarmReport {
  readonly result: WarmResult;
  /** Types of the resources that would keep a separate process alive. */
  readonly left: readonly string[];
}

type Listener = readonly [event: string | symbol, listener: () => void];

const PAUSE_MS = 1;

/** Node.js lists a read of a file handle even after the read has ended. */
const FINISHED = "FileHandleReadWrap";

process.on("message", (job: WarmJob) => void handle(job));
process.on("disconnect", () => process.exit());

async function handle(job: WarmJob): Promise<void> {
  const resources = process.getActiveResourcesInfo();
  const listeners = new Set(listListeners().map(([, listener]) => listener));
  const result = await run(job);
  for (const [event, listener] of listListeners()) if (!listeners.has(listener)) process.off(event, listener);

  const listLeft = () => subtract(process.getActiveResourcesInfo(), resources).filter((type) => type !== FINISHED);
  const report = (left: readonly string[]) => process.send?.({ result, left } satisfies WarmReport);
  const left = listLeft();
  report(left);
  if (left.length === 0) return;
  while (listLeft().length > 0) await setTimeout(PAUSE_MS, undefined, { ref: false });
  report([]);
}

async function run({ program, env, cwd, input }: WarmJob): Promise<WarmResult> {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const stdin = Readable.from([Buffer.from(input)], { objectMode: false });
  for (const [name, stream] of Object.entries({ stdin, stdout, stderr })) {
    Object.defineProperty(process, name, { value: stream, configurable: true });
  }
  globalThis.console = new Console(stdout, stderr);
  setEnvironment(env);
  process.chdir(cwd);
  process.exitCode = undefined;
  const exitCode = await start(program).catch((error: unknown) => {
    stderr.write(`${error instanceof Error ? String(error.stack) : String(error)}\n`);
    return 1;
  });
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}

async function start(program: WarmJob["program"]): Promise<number> {
  if (typeof program !== "string") return runProgram(["node", "crosscall", ...program]);
  await import(program);
  return 0;
}

function setEnvironment(env: WarmJob["env"]): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
}

function listListeners(): readonly Listener[] {
  return process
    .eventNames()
    .flatMap((event) => process.rawListeners(event).map((listener) => [event, listener as () => void] as const));
}

/** Returns the items that occur more often in the first list than in the second. */
function subtract(list: readonly string[], others: readonly string[]): readonly string[] {
  const rest = [...others];
  return list.filter((item) => {
    const index = rest.indexOf(item);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}

/** Captures all output. */
class Sink extends Writable {
  readonly #chunks: Buffer[] = [];

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }
}
