// Everything that must hold, in one run: `npm test`. `--only-checks` leaves the tests out: `npm run check`.
import { spawnSync } from "node:child_process";

/** A gate: what it is called, and the script of the package that must end with 0. */
interface Gate {
  readonly name: string;
  readonly script: string;
  /** Its output is shown as it comes, not only when it fails. */
  readonly isTest?: boolean;
}

const GATES: readonly Gate[] = [
  { name: "contracts compile", script: "compile" },
  { name: "gas against the snapshots", script: "check:gas" },
  { name: "generated ABIs are fresh", script: "check:abi" },
  { name: "format", script: "check:format" },
  { name: "types", script: "check:types" },
  { name: "TypeScript lint", script: "check:lint" },
  { name: "Solidity lint", script: "check:lint-solidity" },
  { name: "dependency direction", script: "check:dependencies" },
  { name: "unused code and dependencies", script: "check:unused" },
  { name: "Solidity tests", script: "test:solidity", isTest: true },
  { name: "Solidity tests without transient storage", script: "test:solidity:london", isTest: true },
  { name: "opcodes of both builds", script: "check:opcodes", isTest: true },
  { name: "TypeScript tests", script: "test:typescript", isTest: true },
];

const isChecksOnly = process.argv.includes("--only-checks");
const started = performance.now();
const failed: string[] = [];

for (const gate of GATES) {
  if (isChecksOnly && gate.isTest === true) continue;
  if (!pass(gate)) failed.push(gate.name);
}

const seconds = Math.round((performance.now() - started) / 1000);
if (failed.length > 0) {
  console.error(`\nFailed after ${seconds} s: ${failed.join(", ")}.`);
  process.exitCode = 1;
} else {
  console.log(`\nAll passed in ${seconds} s.`);
}

function pass({ name, script, isTest = false }: Gate): boolean {
  const gateStarted = performance.now();
  if (isTest) console.log(`\n${name}`);
  const { status, stdout, stderr } = spawnSync("npm", ["run", "--silent", script], {
    stdio: isTest ? "inherit" : ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === "win32",
    env: { ...process.env, HARDHAT_DISABLE_TELEMETRY: "true" },
  });
  const time = `${((performance.now() - gateStarted) / 1000).toFixed(1)} s`;
  if (status === 0) {
    console.log(`${isTest ? "" : "ok   "}${name}: ${time}`);
    return true;
  }
  console.log(`FAIL ${name}: ${time}`);
  if (!isTest) console.log(`${stdout}${stderr}`);
  return false;
}
