// Measures gas with *.gas.t.sol, and gas of the proxies with published code, and compares the results with snapshots/.
// Missing and additional entries also fail. `--write` updates the snapshots.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import config from "../hardhat.config.ts";
import { measureProxies } from "../test/support/proxyGas.ts";

interface SuiteResult {
  readonly testResults: readonly { readonly valueSnapshotGroups?: readonly Group[] }[];
}

interface Group {
  readonly name: string;
  readonly entries: readonly { readonly name: string; readonly value: string }[];
}

/** Snapshots by file and name, in the format of Hardhat's `--snapshot-check`. */
type Snapshots = ReadonlyMap<string, Readonly<Record<string, string>>>;

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = join(root, "snapshots");

const measured = await measure();
if (measured === undefined) {
  process.exitCode = 1;
} else if (process.argv.includes("--write")) {
  write(measured);
} else {
  const differences = [...compare(read(), measured)];
  if (differences.length > 0) {
    console.error(`${differences.join("\n")}\nIf this is intended, run \`npm run snapshot\`.`);
    process.exitCode = 1;
  }
}

/** Runs the gas tests. Returns undefined if a test fails. */
async function measure(): Promise<Snapshots | undefined> {
  const hre = await createHardhatRuntimeEnvironment(config, { network: "hardhat" }, root);
  const testFiles = globSync("test/contracts/**/*.gas.t.sol", { cwd: root })
    .sort()
    .map((path) => join(root, path));
  const result = (await hre.tasks.getTask(["test", "solidity"]).run({ testFiles })) as
    | { success: true; value: { suiteResults: readonly SuiteResult[] } }
    | { success: false };
  if (!result.success) return undefined;

  const found = new Map<string, Record<string, string>>();
  for (const { valueSnapshotGroups = [] } of result.value.suiteResults.flatMap(({ testResults }) => testResults)) {
    for (const { name: group, entries } of valueSnapshotGroups) {
      const figures = found.get(group) ?? {};
      found.set(group, figures);
      for (const { name, value } of entries) {
        if (name in figures) throw new Error(`two measurements have the name "${group}: ${name}"`);
        figures[name] = value;
      }
    }
  }
  for (const [group, figures] of await measureProxies("hardhat")) found.set(group, { ...figures });
  return found;
}

function write(snapshots: Snapshots): void {
  for (const name of globSync("*.json", { cwd: folder })) rmSync(join(folder, name));
  mkdirSync(folder, { recursive: true });
  for (const [group, figures] of snapshots) {
    // Sorted, because tests run in parallel and end in any order.
    const sorted = Object.fromEntries(Object.entries(figures).sort(([left], [right]) => (left < right ? -1 : 1)));
    writeFileSync(join(folder, `${group}.json`), `${JSON.stringify(sorted, null, 2)}\n`);
  }
}

function read(): Snapshots {
  const files = globSync("*.json", { cwd: folder });
  return new Map(
    files.map((file) => [
      file.replace(/\.json$/, ""),
      JSON.parse(readFileSync(join(folder, file), "utf8")) as Record<string, string>,
    ]),
  );
}

function* compare(expected: Snapshots, actual: Snapshots): Generator<string> {
  for (const group of new Set([...expected.keys(), ...actual.keys()])) {
    const before = expected.get(group) ?? {};
    const after = actual.get(group) ?? {};
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (before[name] !== after[name]) yield `${group}: ${name}: ${describe(before[name], after[name])}`;
    }
  }
}

function describe(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return `${after} gas, not in snapshots/`;
  if (after === undefined) return `${before} gas in snapshots/, not measured`;
  const difference = Number(after) - Number(before);
  const percent = ((difference / Number(before)) * 100).toFixed(2);
  return `${before} -> ${after} gas (${difference > 0 ? "+" : ""}${difference}, ${percent} %)`;
}
