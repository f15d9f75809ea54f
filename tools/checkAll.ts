// All checks and tests: `npm test`. With a filter, runs only matching tests: `npm test -- --grep text`.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { BUILDS, CAMPAIGNS, CHECKS, FULL, type Gate, TESTS } from "./gates.ts";
import { COSTS_FILE, halfOf, isFull, overBudget, readCosts, updateCosts } from "./tests/costs.ts";
import { endedProgramsSeconds } from "./tests/cpuSeconds.ts";
import { formatResults, type TestResults } from "./tests/reporter.ts";
import { SEED } from "./tests/seed.ts";

const USAGE = `npm test [-- options]: builds the kit and runs its checks and tests.

  --grep <text>   run only the tests whose names match this text or regular expression, and no checks
  --seed <number> use other random inputs, and run the groups of TypeScript tests in another order
  --checks        run no tests (npm run check)
  --full          run the slow tests and checks instead (npm run test:full)
  --campaigns     run the long campaigns instead (npm run test:campaigns)
  --costs         write the CPU time of the test files to test/costs.json
  --help          show this help`;

/** Number of parallel gates. It exceeds the two cores of a small machine, because tests mostly wait. */
const PARALLEL = 6;

/** Priority as in `nice`: long gates yield to short ones, but not so far that other programs starve them. */
const SHORT_PRIORITY = 2;

/** Number of gates that run in parallel to the build, which uses one thread. */
const PARALLEL_TO_BUILD = 2;

/** Absolute path, because programs run in other folders. */
const COMPILE_CACHE = fileURLToPath(new URL("../node_modules/.cache/node", import.meta.url));

/** Files that tsx, Node.js and Chromium keep in the temporary folder. */
const KEPT = /^(?:tsx-|node-compile-cache|chromium|fonts|locales|lib(?:EGL|GLES|vk|vulkan)|vk_swiftshader)/u;

/** Milliseconds that programs have to remove their files after their tests. */
const CLEANING_MS = 60_000;

const { values } = parseArgs({
  options: {
    grep: { type: "string" },
    seed: { type: "string" },
    checks: { type: "boolean", default: false },
    full: { type: "boolean", default: false },
    campaigns: { type: "boolean", default: false },
    costs: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.seed !== undefined && !/^\d{1,9}$/u.test(values.seed)) {
  throw new Error(`--seed must be a whole number, not ${values.seed}`);
}
if (values.help) {
  console.log(USAGE);
  process.exit();
}

if (values.campaigns || values.seed !== undefined) {
  console.log(`Seed of the random inputs: ${values.seed ?? SEED} (set with --seed <number>)`);
}

const started = performance.now();
const costs = readCosts();
/** CPU time of all ended programs, measured when the latest one ended. */
let endedSeconds = 0;
const running = new Set<ChildProcess>();
const results: TestResults[] = [];
const failed: string[] = [];
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    stop.abort();
    for (const child of running) child.kill(signal);
  });
}

const folder = await mkdtemp(join(tmpdir(), "crosscall-check-"));
const temporary = join(folder, "tmp");
await mkdir(temporary);
// Gives access to other users, because PostgreSQL does not run as root and its tests start it as another user.
for (const path of [folder, temporary]) await chmod(path, 0o755);
try {
  await passAll(chooseGates());
  const end = performance.now() + CLEANING_MS;
  let left = await leftBehind();
  while (left.length > 0 && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    left = await leftBehind();
  }
  if (left.length > 0) failed.push(`leaked temporary files: ${left.join(", ")}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

if (results.length > 0) console.log(formatResults(results));
const measured = results.flatMap(({ files }) => files);
const grown = overBudget(costs, measured);
if (grown.length > 0) console.log(`\nFiles over their budget of CPU time (test/costs.json):\n  ${grown.join("\n  ")}`);
if (values.costs) await writeFile(COSTS_FILE, `${JSON.stringify(updateCosts(costs, measured), null, 2)}\n`);
console.log(`\nCPU time: ${endedProgramsSeconds().toFixed(0)} s.`);
if (stop.signal.aborted) {
  console.error(`\nStopped after ${elapsed()}.`);
  process.exitCode = 130;
} else if (failed.length > 0) {
  console.error(`\nFailed after ${elapsed()}: ${failed.join(", ")}.`);
  process.exitCode = 1;
} else {
  console.log(`\nAll passed in ${elapsed()}.`);
}

async function leftBehind(): Promise<readonly string[]> {
  return (await readdir(temporary)).filter((name) => !KEPT.test(name));
}

function chooseGates(): readonly Gate[] {
  if (values.campaigns) return [...BUILDS, ...CAMPAIGNS];
  if (values.checks) return [...BUILDS, ...CHECKS];
  const gates = values.full ? FULL : [...TESTS, ...CHECKS];
  const chosen = values.grep === undefined ? gates : gates.filter(({ isTest }) => isTest === true);
  const needed = new Set(chosen.flatMap(({ needs = [] }) => needs));
  return [...BUILDS, ...gates.filter((gate) => chosen.includes(gate) || needed.has(gate.script))];
}

/** Starts gates in order when their requirements have passed. */
async function passAll(gates: readonly Gate[]): Promise<void> {
  const passed = new Set<string>();
  const waiting = [...gates];
  const underWay = new Set<Promise<void>>();
  const unfinished = gates.map(({ script }) => script);
  for (;;) {
    const next = waiting.findIndex(
      ({ needs = [], after = [] }) =>
        needs.every((script) => passed.has(script)) && !after.some((script) => unfinished.includes(script)),
    );
    const parallel = passed.has("compile") ? PARALLEL : PARALLEL_TO_BUILD;
    if (next >= 0 && underWay.size < parallel && !stop.signal.aborted) {
      const [gate] = waiting.splice(next, 1);
      if (gate === undefined) continue;
      const run = pass(gate)
        .then((isPassed) => {
          if (isPassed) passed.add(gate.script);
          else failed.push(gate.name);
        })
        .finally(() => {
          unfinished.splice(unfinished.indexOf(gate.script), 1);
          underWay.delete(run);
        });
      underWay.add(run);
    } else if (underWay.size > 0) {
      await Promise.race(underWay);
    } else {
      // The remaining gates require a failed gate.
      failed.push(...waiting.map(({ name }) => `${name} (not run)`));
      return;
    }
  }
}

async function pass(gate: Gate): Promise<boolean> {
  const { name, script, parameters = [], inputs = 1, env = {}, isTest, isLong } = gate;
  const gateStarted = performance.now();
  console.log(`${elapsed()}  ${name}...`);
  const resultsPath = join(folder, `${name}.json`);
  const grep = isTest === true && values.grep !== undefined ? ["--grep", values.grep] : [];
  const tests = await listTests(gate);
  const npmArgs = ["run", "--silent", script, "--", ...parameters, ...grep, ...tests];
  const { status, output, cpuSeconds } = await run(npmArgs, isLong === true || values.campaigns ? 0 : SHORT_PRIORITY, {
    // All programs of the tests share one compile cache.
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    HARDHAT_DISABLE_TELEMETRY: "true",
    // Skips garbage collection, because type checkers are short-lived, and uses one thread, because their threads
    // repeat each other's work.
    GOGC: "off",
    GOMEMLIMIT: "3GiB",
    GOMAXPROCS: "1",
    TMPDIR: temporary,
    CROSSCALL_TEST_RESULTS: resultsPath,
    ...env,
    CROSSCALL_TEST_INPUTS: String(inputs),
    // Scales the timeout, because more inputs take longer and the gates of a campaign share the CPU.
    ...(inputs === 1 ? {} : { CROSSCALL_TEST_TIMEOUT_FACTOR: process.env.CROSSCALL_TEST_TIMEOUT_FACTOR ?? "4" }),
    ...(values.seed === undefined
      ? {}
      : { CROSSCALL_TEST_SEED: values.seed, CROSSCALL_FUZZ_SEED: `0x${Number(values.seed).toString(16)}` }),
  });
  const result = await readResults(resultsPath);
  if (result !== undefined) results.push(result);
  if (stop.signal.aborted) return false;
  if (status !== 0) console.log(`\n${output.trim()}\n`);
  const took = `${seconds(gateStarted)}, ${cpuSeconds.toFixed(1)} s of CPU`;
  console.log(`${elapsed()}  ${status === 0 ? "passed" : "FAILED"}: ${name} (${took})`);
  return status === 0;
}

/** Campaigns run all. */
function isChosen(file: string): boolean {
  return values.campaigns || isFull(costs, file) === values.full;
}

async function listTests({ files, half, text = "" }: Gate): Promise<readonly string[]> {
  if (files === undefined) return [];
  const all = globSync(files).filter(isChosen).sort();
  const paths = half === undefined ? all : halfOf(costs, all, half);
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  return ["--no-compile", ...paths.filter((_, index) => texts[index]?.includes(text))];
}

async function run(
  parameters: readonly string[],
  priority: number,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly status: number | null; readonly output: string; readonly cpuSeconds: number }> {
  const child = spawn("npm", parameters, {
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
    env: { ...process.env, ...env },
  });
  running.add(child);
  let cpuSeconds = 0;
  child.once("exit", () => {
    const before = endedSeconds;
    endedSeconds = endedProgramsSeconds();
    cpuSeconds = endedSeconds - before;
  });
  if (child.pid !== undefined && priority !== 0) setPriority(child.pid, priority);
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  const [status] = (await once(child, "close")) as [number | null];
  running.delete(child);
  return { status, output: Buffer.concat(chunks).toString(), cpuSeconds };
}

async function readResults(path: string): Promise<TestResults | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as TestResults;
  } catch {
    return undefined;
  }
}

function elapsed(): string {
  const total = Math.round((performance.now() - started) / 1000);
  return `${Math.floor(total / 60)}:${String(total % 60).padStart(2, "0")}`;
}

function seconds(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
