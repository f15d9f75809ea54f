// Checks that the contracts of the London build contain no later opcodes, and that the other build keeps its guards in
// transient storage.
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

import { opcodesAfterLondon } from "./opcodes.ts";

interface Artifact {
  readonly bytecode: string;
  readonly deployedBytecode: string;
}

const london = opcodesByContract("artifacts-london");
const cancun = opcodesByContract("artifacts");

const faults = [
  ...[...london].filter(([, found]) => found.size > 0).map(([name, found]) => `${name} has ${[...found].join(", ")}`),
  ...[...cancun.keys()].filter((name) => !london.has(name)).map((name) => `${name} is not in the build for London`),
  ...[...london.keys()].filter((name) => !cancun.has(name)).map((name) => `${name} is only in the build for London`),
];
const guarded = [...cancun].filter(([, found]) => found.has("TLOAD") && found.has("TSTORE")).map(([name]) => name);
if (guarded.length === 0) faults.push("no contract of the build for Cancun uses transient storage");

if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exitCode = 1;
} else {
  const names = guarded.map((path) => basename(path, ".json")).join(", ");
  console.log(`${london.size} contracts run on London. Those that use transient storage on Cancun: ${names}.`);
}

/** Lists the opcodes after London in each deployable contract, by artifact path. */
function opcodesByContract(folder: string): ReadonlyMap<string, ReadonlySet<string>> {
  const root = fileURLToPath(new URL(`../../${folder}/contracts/`, import.meta.url));
  const found = new Map<string, ReadonlySet<string>>();
  for (const path of globSync("**/*.sol/*.json", { cwd: root }).sort()) {
    if (path.startsWith("mocks")) continue;
    const { bytecode, deployedBytecode } = JSON.parse(readFileSync(join(root, path), "utf8")) as Artifact;
    if (bytecode !== "0x") found.set(path, opcodesAfterLondon(bytecode, deployedBytecode));
  }
  return found;
}
