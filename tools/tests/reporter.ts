import { writeFileSync } from "node:fs";
import { relative } from "node:path";

import { reporters, Runner, type Suite, type Test } from "mocha";

import { cpuSeconds } from "./cpuSeconds.ts";

export interface SlowTest {
  readonly name: string;
  readonly seconds: number;
}

export interface FailedTest {
  readonly name: string;
  readonly error: string;
  /** Command that runs only this test. */
  readonly command: string;
}

export interface TestResults {
  readonly passed: number;
  readonly pending: number;
  readonly failed: readonly FailedTest[];
  readonly slowest: readonly SlowTest[];
  readonly files: readonly FileCost[];
}

/** Time of a test file, including the programs that the file started. */
export interface FileCost {
  readonly file: string;
  readonly cpuSeconds: number;
}

/** Milliseconds that a failed run has to exit. */
const ENDING_MS = 10_000;

const SLOWEST = 10;

/**
 * Reporter that prints a line per group of tests, then the slowest tests, the files with the most CPU time, and the
 * failures with commands to rerun each. With `CROSSCALL_TEST_RESULTS`, instead writes the last parts to a file as
 * {@link TestResults}. A failed run ends its process, except with the option `isInner`, which is for runs within a
 * test.
 */
class Reporter extends reporters.Base {
  readonly #passed: Test[] = [];
  readonly #failed: FailedTest[] = [];
  readonly #cpuSeconds = new Map<string, number>();
  #pending = 0;

  constructor(runner: Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const { isInner = false } = (options.reporterOptions ?? {}) as { readonly isInner?: boolean };
    let [startedAt, cpuAt] = [0, 0];
    runner.on(Runner.constants.EVENT_SUITE_BEGIN, (suite) => {
      if (suite.parent?.root === true) [startedAt, cpuAt] = [performance.now(), cpuSeconds()];
    });
    runner.on(Runner.constants.EVENT_SUITE_END, (suite) => {
      if (suite.parent?.root !== true) return;
      const [seconds, cpu] = [(performance.now() - startedAt) / 1000, cpuSeconds() - cpuAt];
      if (suite.file !== undefined) {
        const file = relative(process.cwd(), suite.file);
        this.#cpuSeconds.set(file, (this.#cpuSeconds.get(file) ?? 0) + cpu);
      }
      console.log(`  ${suite.title}: ${countTests(suite)}, ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU`);
    });
    runner.on(Runner.constants.EVENT_TEST_PASS, (test) => this.#passed.push(test));
    runner.on(Runner.constants.EVENT_TEST_PENDING, () => (this.#pending += 1));
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error: unknown) => {
      this.#failed.push(describeFailure(test, error));
      console.log(`  FAILED: ${test.fullTitle()}`);
    });
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const results = this.#results();
      const path = process.env.CROSSCALL_TEST_RESULTS;
      if (path === undefined) console.log(formatResults([results]));
      else writeFileSync(path, JSON.stringify(results));
      // Exits, because remaining handles could keep the process running.
      if (!isInner && results.failed.length > 0) setTimeout(() => process.exit(1), ENDING_MS).unref();
    });
  }

  #results(): TestResults {
    const slowest = this.#passed
      .toSorted((left, right) => (right.duration ?? 0) - (left.duration ?? 0))
      .slice(0, SLOWEST)
      .map((test) => ({ name: test.fullTitle(), seconds: (test.duration ?? 0) / 1000 }));
    const files = [...this.#cpuSeconds].map(([file, cpuSeconds]) => ({ file, cpuSeconds }));
    return { passed: this.#passed.length, pending: this.#pending, failed: this.#failed, slowest, files };
  }
}

export function formatResults(results: readonly TestResults[]): string {
  const slowest = results
    .flatMap((result) => result.slowest)
    .toSorted((left, right) => right.seconds - left.seconds)
    .slice(0, SLOWEST)
    .map(({ name, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${name}`);
  const costly = results
    .flatMap((result) => result.files)
    .toSorted((left, right) => right.cpuSeconds - left.cpuSeconds)
    .slice(0, SLOWEST)
    .map(({ file, cpuSeconds }) => `  ${cpuSeconds.toFixed(1).padStart(6)} s  ${file}`);
  const failed = results
    .flatMap((result) => result.failed)
    .map(({ name, error, command }) => `${name}\n\n${indent(error)}\n\n  Run only this test:\n  ${command}`);
  const sum = (count: (result: TestResults) => number): number =>
    results.reduce((total, result) => total + count(result), 0);
  const counts = [
    `${sum(({ passed }) => passed)} passed`,
    ...(sum(({ pending }) => pending) === 0 ? [] : [`${sum(({ pending }) => pending)} skipped`]),
    ...(failed.length === 0 ? [] : [`${failed.length} failed`]),
  ];
  return [
    ...(slowest.length === 0 ? [] : ["", "The slowest tests:", ...slowest]),
    ...(costly.length === 0 ? [] : ["", "The files that took the most CPU time:", ...costly]),
    ...failed.flatMap((text, index) => ["", `${index + 1}) ${text}`]),
    "",
    `Tests: ${counts.join(", ")}.`,
  ].join("\n");
}

function describeFailure(test: Test, error: unknown): FailedTest {
  const grep = test.fullTitle().replaceAll(/["\\$`]/gu, ".");
  return {
    name: test.fullTitle(),
    error: describeError(error),
    command: `npx hardhat test mocha ${relative(process.cwd(), test.file ?? "")} --grep "${grep}"`,
  };
}

/** Includes all causes, because a property's error contains the inputs and its cause contains the failure. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, stack = message, cause } = error;
  const own = stack.includes(message) ? stack : `${message}\n${stack}`;
  return cause === undefined ? own : `${own}\nCaused by: ${describeError(cause)}`;
}

function countTests(suite: Suite): string {
  const count = suite.total();
  return count === 1 ? "1 test" : `${count} tests`;
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}

// Export name that Mocha expects for a reporter.
export { Reporter as "module.exports" };
