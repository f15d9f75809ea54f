// Measures line and branch coverage of the Solidity tests: `npm run coverage`. Prints uncovered lines and branches, and
// fails below the required percentage. Hardhat writes the lines to coverage/lcov.info and coverage/html/. Mocks are
// excluded.
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { readCoverage } from "./branches.ts";

const BAR_PERCENT = 98;

const root = fileURLToPath(new URL("../../", import.meta.url));
const lcovPath = join(root, "coverage", "lcov.info");

if (runTests()) {
  const files = readCoverage(readFileSync(lcovPath, "utf8"), readRecords(), (path) =>
    readFileSync(join(root, path), "utf8"),
  );

  console.log("lines     branches");
  for (const { path, lines, branches } of files) {
    console.log(`${percent(lines)}  ${percent(branches)}  ${path}`);
    const missed = lines.filter(({ isHit }) => !isHit).map(({ line }) => line);
    if (missed.length > 0) console.log(`                      not reached: line ${missed.join(", ")}`);
    for (const { line, condition, outcome } of branches.filter(({ isHit }) => !isHit)) {
      console.log(`                      line ${line}: never ${outcome}: ${condition}`);
    }
  }
  const lines = files.flatMap((file) => file.lines);
  const branches = files.flatMap((file) => file.branches);
  console.log(`${percent(lines)}  ${percent(branches)}  all; required: ${BAR_PERCENT} % of each`);
  if (share(lines) < BAR_PERCENT || share(branches) < BAR_PERCENT) process.exitCode = 1;
} else {
  process.exitCode = 1;
}

/** Runs without gas tests, because recording costs gas. */
function runTests(): boolean {
  const options = ["--config", "hardhat.coverage.config.ts", "--network", "hardhat", "--coverage"];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      fileURLToPath(import.meta.resolve("hardhat/package.json").replace("package.json", "dist/src/cli.js")),
      "test",
      "solidity",
      ...options,
      "--grep-exclude",
      "_Gas|_WhenMeasured_|_AnyGasLimit|_WhenGasIsBelow",
    ],
    { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  if (status !== 0) console.error(`${stdout}${stderr}`);
  return status === 0;
}

function readRecords(): ReadonlySet<string> {
  const folder = join(root, "coverage", "data", "solidity");
  return new Set(
    globSync("*.json", { cwd: folder }).flatMap((file) =>
      Object.keys(JSON.parse(readFileSync(join(folder, file), "utf8")) as Record<string, number>),
    ),
  );
}

function share(items: readonly { readonly isHit: boolean }[]): number {
  return items.length === 0 ? 100 : (items.filter(({ isHit }) => isHit).length / items.length) * 100;
}

function percent(items: readonly { readonly isHit: boolean }[]): string {
  return `${share(items).toFixed(2).padStart(6)} %`;
}
