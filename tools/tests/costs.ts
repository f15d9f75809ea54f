import { readFileSync } from "node:fs";

import type { FileCost } from "./reporter.ts";

/** CPU seconds of test files that take more than {@link SMALL}, by the command that runs them. */
export interface Costs {
  readonly test: Readonly<Record<string, number>>;
  /** Files that `npm run test:full` runs instead of `npm test`, in addition to all files in {@link FULL_FOLDERS}. */
  readonly full: Readonly<Record<string, number>>;
}

const FULL_FOLDERS = ["test/e2e/", "test/campaigns/"];

export const COSTS_FILE = new URL("../../test/costs.json", import.meta.url);

const SMALL = 2;

/** Factor for busy machines, which take more CPU time for the same work. */
const SLACK = 3;

/** Returns whether `npm run test:full` runs a file. */
export function isFull({ full }: Costs, file: string): boolean {
  return FULL_FOLDERS.some((folder) => file.startsWith(folder)) || Object.hasOwn(full, file);
}

export function readCosts(): Costs {
  return JSON.parse(readFileSync(COSTS_FILE, "utf8")) as Costs;
}

/** Returns one of two halves of the files that take about the same time. */
export function halfOf(costs: Costs, files: readonly string[], half: 0 | 1): readonly string[] {
  const byCost = files.toSorted((one, other) => costOf(costs, other) - costOf(costs, one));
  // The most expensive file and the fourth, but not the second and the third.
  return files.filter((file) => ((byCost.indexOf(file) + 1) % 4 < 2 ? 0 : 1) === half);
}

function costOf({ test, full }: Costs, file: string): number {
  return test[file] ?? full[file] ?? SMALL;
}

/** Lists files that took much longer than in the table, so that a review can find the cause. */
export function overBudget(costs: Costs, measured: readonly FileCost[]): readonly string[] {
  return measured
    .map((cost) => ({ ...cost, expected: costOf(costs, cost.file) }))
    .filter(({ cpuSeconds, expected }) => cpuSeconds > SLACK * Math.max(expected, SMALL))
    .map(({ file, cpuSeconds, expected }) => `${file}: ${cpuSeconds.toFixed(1)} s instead of ${expected} s`);
}

/** Returns the table with the measured times. Files that did not run keep their times. */
export function updateCosts(costs: Costs, measured: readonly FileCost[]): Costs {
  const times = Object.fromEntries(measured.map(({ file, cpuSeconds }) => [file, Number(cpuSeconds.toFixed(1))]));
  const files = Object.entries({ ...costs.test, ...costs.full, ...times }).toSorted(([a], [b]) => a.localeCompare(b));
  return {
    test: Object.fromEntries(files.filter(([file, seconds]) => !isFull(costs, file) && seconds > SMALL)),
    full: Object.fromEntries(
      files.filter(([file, seconds]) => isFull(costs, file) && (seconds > SMALL || Object.hasOwn(costs.full, file))),
    ),
  };
}
