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

/** Lists files that took much longer than in the table, so that a review can find the cause. */
export function overBudget({ test, full }: Costs, measured: readonly FileCost[]): readonly string[] {
  return measured
    .map((cost) => ({ ...cost, expected: test[cost.file] ?? full[cost.file] ?? SMALL }))
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
